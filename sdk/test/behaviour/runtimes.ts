import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { vi } from 'vitest'
import { runtimeProgram } from '../../../test/runtimes/install-runtimes.ts'
import type { Outcome, Scenario } from './behaviour.ts'
import type { BreakingGate } from './breaking-gate.ts'

const run = promisify(execFile)

/** Where the suite can run. */
export interface Runtime {
  readonly name: string
  /** Null when this machine does not have it. */
  readonly program: string | null
  readonly behave: (program: string, at: Place) => Promise<Outcome[]>
}

export interface Place {
  /** Where the packed package is installed. */
  readonly folder: string
  readonly scenario: Scenario
  readonly gate: BreakingGate
}

export const runtimes: readonly Runtime[] = [
  { name: 'Node 24', program: process.execPath, behave: onCommandLine([]) },
  {
    name: 'Node 22',
    program: runtimeProgram('node'),
    behave: onCommandLine([]),
  },
  { name: 'Bun', program: runtimeProgram('bun'), behave: onCommandLine(['run']) },
  {
    name: 'Deno',
    program: runtimeProgram('deno'),
    behave: onCommandLine([
      'run',
      '--allow-all',
      '--quiet',
      '--no-lock',
      '--node-modules-dir=manual',
    ]),
  },
  { name: 'workerd', program: runtimeProgram('workerd'), behave: inWorker },
  { name: 'headless Chromium', program: chromium(), behave: inBrowser },
]

function onCommandLine(args: readonly string[]): Runtime['behave'] {
  return async (program, { folder, scenario }) => {
    const suite = await bundled(folder, 'neutral', ['@pdfnorm/sdk', '@pdfnorm/sdk/verify'])
    await writeFile(join(folder, 'behaviour.js'), suite)
    const main = `import { behave } from './behaviour.js'
      console.log(JSON.stringify(await behave(JSON.parse(process.env.SCENARIO))))\n`
    await writeFile(join(folder, 'main.js'), main)
    const { stdout } = await run(program, [...args, 'main.js'], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        DENO_NO_UPDATE_CHECK: '1',
        SCENARIO: JSON.stringify({ ...scenario, folder }),
      },
    })
    return JSON.parse(stdout)
  }
}

/** Without Node's compatibility: nothing of Node is there. */
async function inWorker(program: string, { folder, scenario }: Place): Promise<Outcome[]> {
  const suite = await bundled(folder, 'browser', [])
  const main = `${suite}
    export default {
      async fetch(request) {
        return Response.json(request.method === 'POST' ? await behave(await request.json()) : null)
      },
    }\n`
  await writeFile(join(folder, 'worker.js'), main)
  const port = await freePort()
  const config = `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = (
          modules = [(name = "worker.js", esModule = embed "worker.js")],
          compatibilityDate = "2026-01-01",
        )),
        (name = "internet", network = (allow = ["public", "private"])),
      ],
      sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
    );\n`
  await writeFile(join(folder, 'worker.capnp'), config)
  const worker = spawn(program, ['serve', 'worker.capnp'], { cwd: folder, stdio: 'inherit' })
  try {
    const url = `http://127.0.0.1:${port}`
    // The socket opens when the worker has been compiled.
    await vi.waitFor(() => fetch(url), { interval: 25, timeout: 20_000 })
    const body = JSON.stringify({ ...scenario, folder: null })
    const answer = await fetch(url, { method: 'POST', body })
    const outcomes: Outcome[] = await answer.json()
    return outcomes
  } finally {
    worker.kill()
  }
}

/** From a page of another origin, as a customer's own page is. */
async function inBrowser(program: string, { folder, scenario, gate }: Place): Promise<Outcome[]> {
  const { chromium: browserType } = await import('playwright-core')
  gate.pages.set('/', { type: 'text/html', text: '<!doctype html><title>pdfnorm</title>' })
  gate.pages.set('/behaviour.js', {
    type: 'text/javascript',
    text: await bundled(folder, 'browser', []),
  })
  const browser = await browserType.launch({ executablePath: program, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.goto(gate.url)
    const code = `import('/behaviour.js').then(({ behave }) => behave(${JSON.stringify(scenario)}))`
    return await page.evaluate<Outcome[]>(code)
  } finally {
    await browser.close()
  }
}

/** The suite as JavaScript; what is external is found by the runtime itself. */
async function bundled(
  folder: string,
  platform: 'browser' | 'neutral',
  external: string[],
): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'behaviour.ts'),
    platform,
    external,
    resolve: { alias: aliasesIn(folder) },
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return output[0].code
}

/** The package that is tried out is the packed one, not the sources beside the suite. */
function aliasesIn(folder: string): Record<string, string> {
  const dist = join(folder, 'node_modules/@pdfnorm/sdk/dist')
  return {
    '@pdfnorm/sdk/verify': join(dist, 'verify.js'),
    '@pdfnorm/sdk$': join(dist, 'index.js'),
  }
}

function chromium(): string | null {
  const places = [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  return places.find((path) => path !== undefined && existsSync(path)) ?? null
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
