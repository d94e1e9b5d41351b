import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { regions } from '@pdfnorm/contracts/schema/region'

/**
 * A real server of the S3 protocol that checks every signature, also those of presigned addresses: the Versity S3
 * Gateway (Apache 2.0). The registry of Go modules has it:
 * `go install github.com/versity/versitygw/cmd/versitygw@v1.8.0`.
 */
const program = process.env['VERSITYGW'] ?? 'versitygw'

export const hasS3Server = spawnSync(program, ['--version']).status === 0

export const whyNoS3Server =
  'there is no versitygw on the path (go install github.com/versity/versitygw/cmd/versitygw@v1.8.0)'

export interface S3Server extends AsyncDisposable {
  /** With its buckets, one per region. */
  storageUrl: string
  /** Without a trailing slash. */
  endpoint: string
  /** Where its buckets are directories. */
  directory: string
  /** Ends the process; what it stored stays. */
  stop(): Promise<void>
  /** Starts it again at the same address. */
  start(): Promise<void>
}

/** Known to the server, and to the SDK by the environment of this process. */
export const s3Credentials = {
  AWS_ACCESS_KEY_ID: 'pdfnorm-test',
  AWS_SECRET_ACCESS_KEY: 'a secret of the tests',
}

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'pdfnorm-s3-'))
  const root = join(directory, 'buckets')
  const sidecar = join(directory, 'metadata')
  await mkdir(sidecar)
  for (const region of regions) await mkdir(join(root, `pdfnorm-${region}`), { recursive: true })
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  Object.assign(process.env, s3Credentials)

  let server: ReturnType<typeof spawn> | null = null
  const stop = async () => {
    if (server === null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
    server = null
  }
  const start = async () => {
    const options = ['--port', `127.0.0.1:${port}`, '--quiet']
    server = spawn(program, [...options, 'posix', '--sidecar', sidecar, root], {
      stdio: 'ignore',
      env: {
        ROOT_ACCESS_KEY: s3Credentials.AWS_ACCESS_KEY_ID,
        ROOT_SECRET_KEY: s3Credentials.AWS_SECRET_ACCESS_KEY,
      },
    })
    await answering(endpoint)
  }
  await start()

  const query = new URLSearchParams({ endpoint, signing_region: 'us-east-1' })
  return {
    storageUrl: `s3://pdfnorm-{region}/some/prefix?${query.toString()}`,
    endpoint,
    directory: root,
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

async function answering(endpoint: string): Promise<void> {
  for (;;) {
    const answer = await fetch(endpoint).catch(() => null)
    if (answer !== null) return
    await setTimeout(20)
  }
}
