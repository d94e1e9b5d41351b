import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../src/embedded-postgres/embedded-postgres.ts'
import { findProcess } from '../src/embedded-postgres/operating-system-process.ts'
import {
  nobody,
  runnableBinaries,
  serverBinaries,
} from '../src/embedded-postgres/server-binaries.ts'
import { socketDirectory } from '../src/embedded-postgres/server-directories.ts'

const isRoot = process.getuid?.() === 0
const log = pino({ level: 'silent' })
/** The machine is not switched off while these tests run. */
const settings = { fsync: 'off' }
const ownerScript = new URL('embedded-postgres-owner.ts', import.meta.url).pathname

let directory: string
let running: EmbeddedPostgres[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pdfnorm-postgres-'))
  running = []
})
afterEach(async () => {
  for (const server of running) await server.stop()
  const left = await postmasterPid().catch(() => 0)
  if (await findProcess(left)) process.kill(left, 'SIGKILL')
  // The processes of a killed server write for a moment longer.
  await rm(socketDirectory(directory), { recursive: true, force: true })
  await rm(directory, { recursive: true, force: true, maxRetries: 20 })
})

test('the server listens on a Unix socket only, and its data outlive it', async () => {
  const first = await start()
  expect(await query(first.url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  await expect(query(first.url, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)

  const second = await start()
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test.runIf(isRoot)(
  'as root the server runs as nobody, also in a directory closed to it',
  async () => {
    await chmod(directory, 0o700)
    const { url } = await start()
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await uidOf(await postmasterPid())).toBe(nobody.uid)
  },
)

test.runIf(isRoot)('as another user than root the server runs as that user', async () => {
  await chown(directory, nobody.uid, nobody.gid)
  const owner = await startOwner({ uid: nobody.uid, gid: nobody.gid })
  expect(await uidOf(await postmasterPid())).toBe(nobody.uid)
  await kill(owner)
})

test('what was acknowledged is there after the service and its database were killed', async () => {
  const owner = await startOwner()
  const acknowledged = await acknowledgedUntil(owner, 50)
  process.kill(await postmasterPid(), 'SIGKILL')
  await kill(owner)

  const { url } = await start()
  const rows = await query<{ number: number }>(url, 'select number from counted')
  const kept = new Set(rows.map((row) => row.number))
  expect(acknowledged.length).toBeGreaterThanOrEqual(50)
  expect(acknowledged.filter((number) => !kept.has(number))).toEqual([])
})

test('a server that a killed service left behind is ended by the next start', async () => {
  // Without setpriv on its path the service cannot have the server end with it.
  const owner = await startOwner({ env: { PATH: '/nonexistent' } })
  const orphan = await postmasterPid()
  await acknowledgedUntil(owner, 1)
  await kill(owner)
  expect(await findProcess(orphan)).not.toBeNull()

  const { url } = await start()
  expect(await findProcess(orphan)).toBeNull()
  expect(await query(url, 'select count(*) > 0 as kept from counted')).toEqual([{ kept: true }])
})

test('a data directory that a running service uses is not touched', async () => {
  const owner = await startOwner()
  await expect(start()).rejects.toThrow(`The process ${owner.pid} already runs a database`)
  expect(await findProcess(await postmasterPid())).not.toBeNull()
  await kill(owner)
})

test('lock files with the number of somebody else’s process do not stop a start', async () => {
  await (await start()).stop()
  running = []
  const ours = `${process.pid}\n/proc/self/cwd\n1795264172\n5432\n/tmp\n\n`
  await writeFile(join(directory, 'postgresql', 'postmaster.pid'), ours)
  await writeFile(join(directory, 'postgresql.owner'), `${process.pid} another-start\n`)

  const { url } = await start()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a first start that was cut short leaves nothing that the next one stumbles over', async () => {
  await mkdir(join(directory, 'postgresql.new'))
  await writeFile(join(directory, 'postgresql.new', 'PG_VERSION'), '18\n')
  const { url } = await start()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

describe('the binaries', () => {
  test('are copied and completed when their package has no links or cannot be entered', async () => {
    const installed = await serverBinaries(null)
    const closed = join(directory, 'closed')
    const native = join(closed, 'native')
    await cp(installed, native, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !/\.so(\.\d+)?$/.test(basename(path)) || path.includes('postgresql/'),
    })
    await chmod(closed, 0o700)
    await chmod(directory, 0o755)

    const user = isRoot ? nobody : null
    const cache = join(directory, 'cache')
    const binaries = await runnableBinaries({ native, version: 'x' }, user, [cache])
    expect(dirname(binaries)).toBe(cache)
    const version = spawnSync(join(binaries, 'bin', 'initdb'), ['--version'], {
      ...user,
      cwd: '/',
      encoding: 'utf8',
    })
    expect(version.stdout).toMatch(/^initdb \(PostgreSQL\) 18/)

    const again = await runnableBinaries({ native, version: 'x' }, user, [cache])
    expect(again).toBe(binaries)
    expect(await readdir(cache)).toEqual(['postgresql-x'])
  })

  test('are not run from a directory that others may write to', async () => {
    const shared = join(directory, 'shared')
    await mkdir(shared)
    await chmod(shared, 0o777)
    const nothing = { native: join(directory, 'nothing'), version: 'x' }
    await expect(runnableBinaries(nothing, null, [shared])).rejects.toThrow(/No directory/)
  })
})

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(directory, log, settings)
  running.push(server)
  return server
}

async function startOwner(
  options: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> }> {
  const owner = spawn(process.execPath, [ownerScript, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  })
  for await (const line of createInterface(owner.stdout)) {
    if (line === 'ready') return owner
  }
  throw new Error('The process ended before its database was ready')
}

/** Reads what the owner prints until it has had so many numbers acknowledged. */
async function acknowledgedUntil(
  owner: { stdout: NonNullable<ChildProcess['stdout']> },
  count: number,
): Promise<number[]> {
  const acknowledged: number[] = []
  for await (const line of createInterface(owner.stdout)) {
    acknowledged.push(Number(line))
    if (acknowledged.length >= count) break
  }
  return acknowledged
}

async function kill(owner: ChildProcess): Promise<void> {
  const exited = once(owner, 'exit')
  owner.kill('SIGKILL')
  await exited
}

async function postmasterPid(): Promise<number> {
  const text = await readFile(join(directory, 'postgresql', 'postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

async function uidOf(pid: number): Promise<number> {
  if (process.platform === 'linux') return (await stat(`/proc/${pid}`)).uid
  const { stdout } = spawnSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(stdout.trim())
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
