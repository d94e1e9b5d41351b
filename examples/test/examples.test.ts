import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { join, resolve } from 'node:path'
import { createHash } from 'node:crypto'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { installPackedPackage, type PackedPackage } from '../../sdk/test/packed-package.ts'
import { sign } from '../../sdk/src/webhooks.ts'
import { runtimeProgram } from '../../test/runtimes/install-runtimes.ts'

const repository = resolve(import.meta.dirname, '../..')
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const pdf = '%PDF-1.7 normalized'
const hash = createHash('sha256').update(pdf).digest('hex')

let installed: PackedPackage
let service: Server
let environment: Record<string, string | undefined>

beforeAll(async () => {
  installed = await installPackedPackage()
  await cp(join(repository, 'examples/src'), installed.folder, { recursive: true })
  for (const name of await frameworks()) {
    const link = join(installed.folder, 'node_modules', name)
    await symlink(join(repository, 'node_modules', name), link, 'dir')
  }
  service = pretendedService()
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  environment = {
    PATH: process.env['PATH'],
    HOME: installed.folder,
    PDFNORM_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    PDFNORM_API_KEY: 'pdfnorm_key',
    PDFNORM_WEBHOOK_SECRET: secret,
    DENO_NO_UPDATE_CHECK: '1',
  }
})

afterAll(async () => {
  service.close()
  await installed[Symbol.asyncDispose]()
})

/** How each example is started; `{port}` stands for the port. */
const examples: readonly Example[] = [
  { name: 'express', program: process.execPath, args: ['express.ts'] },
  { name: 'fastify', program: process.execPath, args: ['fastify.ts'] },
  { name: 'hono', program: process.execPath, args: ['serve.ts'], prepare: serveOf('./hono.ts') },
  { name: 'next', program: process.execPath, args: ['serve.ts'], prepare: serveNext },
  { name: 'nest', program: process.execPath, args: ['nest.js'], prepare: compileDecorators },
  { name: 'bun', program: runtimeProgram('bun'), args: ['run', 'bun.ts'] },
  {
    name: 'deno',
    program: runtimeProgram('deno'),
    args: [
      'serve',
      '--quiet',
      '--no-lock',
      '--node-modules-dir=manual',
      '--allow-net',
      '--allow-env',
      '--allow-read',
      '--host=127.0.0.1',
      '--port={port}',
      'deno.ts',
    ],
  },
  {
    name: 'worker',
    program: runtimeProgram('workerd'),
    args: ['serve', 'worker.capnp'],
    prepare: bundleWorker,
  },
]

interface Example {
  readonly name: string
  /** Null when this machine does not have it. */
  readonly program: string | null
  readonly args: readonly string[]
  readonly prepare?: (port: number) => Promise<void>
}

test('every example is run here', async () => {
  const files = await readdir(join(repository, 'examples/src'))
  expect(files.map((file) => file.replace('.ts', '')).sort()).toEqual(
    examples.map(({ name }) => name).sort(),
  )
})

describe.each(examples)('the example for $name', ({ program, args, prepare }) => {
  test.skipIf(program === null)(
    'normalizes an upload, takes a webhook and refuses a forged one',
    async () => {
      const port = await freePort()
      await prepare?.(port)
      const server = spawn(
        program ?? '',
        args.map((arg) => arg.replace('{port}', String(port))),
        { cwd: installed.folder, env: { ...environment, PORT: String(port) } },
      )
      const printed = linesOf(server)
      try {
        const url = `http://127.0.0.1:${port}`
        const good = await whenListening(server, printed, () => upload(url, '%PDF-1.4 original'))
        expect([good.status, await good.text()]).toEqual([200, pdf])
        const refused = await upload(url, '%PDF-1.4 signed')
        expect([refused.status, await refused.json()]).toEqual([422, failure])

        const { body, headers } = await sign(
          '{"event":"webhook.test","data":{"message":"Hi"}}',
          secret,
        )
        const taken = await fetch(`${url}/hook`, { method: 'POST', body, headers })
        expect(taken.status).toBe(204)
        const forged = await fetch(`${url}/hook`, { method: 'POST', body: `${body} `, headers })
        expect(forged.status).toBe(400)
        await expect.poll(() => printed.join('')).toContain('webhook.test')
      } finally {
        server.kill('SIGKILL')
        if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
      }
    },
  )
})

const failure = { code: 'POLICY_REJECTION', message: 'It is signed.', stage: null }

/** As much of the service as the examples call: what says that it is signed is rejected. */
function pretendedService(): Server {
  return createServer(async (req, res) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of req) chunks.push(chunk)
    if (req.url?.startsWith('/api/artifacts/') === true) {
      res.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
      return
    }
    const signed = Buffer.concat(chunks).includes('signed') || req.url?.endsWith('signed') === true
    const submissionId = signed ? 'signed' : 'good'
    const end = signed
      ? { status: 'REJECTED', outputHash: null, failure }
      : { status: 'SUCCESS', outputHash: `sha256:${hash}` }
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ submissionId, warnings: [], ...end }))
  })
}

function upload(url: string, text: string): Promise<Response> {
  const headers = { 'content-type': 'application/pdf' }
  return fetch(`${url}/normalize`, { method: 'POST', body: text, headers })
}

/** What a fetch-style server needs to be one on Node. */
function serveOf(main: string): () => Promise<void> {
  return () =>
    writeServe(`import app from '${main}'\nconst handle = (request) => app.fetch(request)`)
}

/** As Next calls the routes of its `app` folder. */
async function serveNext(): Promise<void> {
  await writeServe(`import * as hook from './next/hook/route.ts'
    import * as normalize from './next/normalize/route.ts'
    const routes = { '/hook': hook, '/normalize': normalize }
    const handle = (request) => routes[new URL(request.url).pathname].POST(request)`)
}

async function writeServe(code: string): Promise<void> {
  const text = `import { createServer } from 'node:http'
    import { Readable } from 'node:stream'
    import { pipeline } from 'node:stream/promises'
    ${code}
    createServer(async (req, res) => {
      const init = { method: req.method, headers: req.headers, body: Readable.toWeb(req), duplex: 'half' }
      const answer = await handle(new Request('http://localhost' + req.url, init))
      res.writeHead(answer.status, Object.fromEntries(answer.headers))
      await pipeline(answer.body ?? [], res)
    }).listen(Number(process.env.PORT), '127.0.0.1')\n`
  await writeFile(join(installed.folder, 'serve.ts'), text)
}

/** Node strips types; decorators are compiled. */
async function compileDecorators(): Promise<void> {
  await build('nest.ts', 'nest.js', {
    // Only what TypeScript itself would write for a decorator is bundled.
    external: (id) => !/^[./]|^@oxc-project\//.test(id),
    transform: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  })
}

async function bundleWorker(port: number): Promise<void> {
  await build('worker.ts', 'worker.js', { platform: 'browser' })
  const bindings = ['PDFNORM_BASE_URL', 'PDFNORM_API_KEY', 'PDFNORM_WEBHOOK_SECRET']
    .map((name) => `(name = "${name}", text = "${environment[name]}")`)
    .join(', ')
  const config = `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = (
          modules = [(name = "worker.js", esModule = embed "worker.js")],
          compatibilityDate = "2026-01-01",
          bindings = [${bindings}],
        )),
        (name = "internet", network = (allow = ["public", "private"])),
      ],
      sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
    );\n`
  await writeFile(join(installed.folder, 'worker.capnp'), config)
}

async function build(
  from: string,
  to: string,
  options: Parameters<typeof rolldown>[0],
): Promise<void> {
  const bundle = await rolldown({ input: join(installed.folder, from), ...options })
  await bundle.write({ file: join(installed.folder, to) })
  await bundle.close()
}

/** Everything that the example prints, as it comes. */
function linesOf(server: ChildProcess): string[] {
  const printed: string[] = []
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  }
  return printed
}

async function whenListening(
  server: ChildProcess,
  printed: readonly string[],
  ask: () => Promise<Response>,
): Promise<Response> {
  const ended = once(server, 'exit').then(() => {
    throw new Error(`It did not start: ${printed.join('')}`)
  })
  return Promise.race([ended, vi.waitFor(ask, { interval: 25, timeout: 20_000 })])
}

/** What the examples import beside the client, as npm would install it. */
async function frameworks(): Promise<string[]> {
  const path = join(repository, 'examples/package.json')
  const manifest: { devDependencies: object } = JSON.parse(await readFile(path, 'utf8'))
  const names = Object.keys(manifest.devDependencies).filter((name) => !name.startsWith('@types/'))
  return [
    ...new Set(names.map((name) => (name.startsWith('@') ? (name.split('/')[0] ?? '') : name))),
  ]
}

async function freePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
