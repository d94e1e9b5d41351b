import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { findProcess } from './operating-system-process.ts'
import type { ServerUser } from './server-binaries.ts'

export interface Server {
  /** Directory with `bin/postgres`. */
  binaries: string
  cluster: string
  /** Directory of the Unix socket; it names the server's process too, since it is ours alone. */
  sockets: string
  /** null: the user that we are. */
  user: ServerUser | null
  settings: Readonly<Record<string, string>>
  log: Logger
}

export interface RunningServer {
  /** Resolves if the server ends without having been asked to. */
  lost: Promise<void>
  stop(): Promise<void>
}

/** How long a server may take to start, to recover from a crash, or to end. */
const patienceMs = 60_000

/** Nothing of our own environment, and messages in English. */
export const serverEnvironment = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/**
 * How the server is told of its cluster. On Linux it is its working directory, reached through
 * /proc: that path holds also when a directory above the cluster (say /root) is closed to the
 * server's user, because a process needs no right to where it already is.
 */
export function clusterPath(cluster: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : cluster
}

/**
 * Starts the server on its cluster and waits until it takes connections.
 *
 * @throws Error with the end of the server's log if it does not come up
 */
export async function startServer(server: Server, url: string): Promise<RunningServer> {
  const process = spawnServer(server)
  const lastLines: string[] = []
  let stopping = false

  createInterface({ input: process.stderr }).on('line', (line) => {
    lastLines.push(line)
    if (lastLines.length > 20) lastLines.shift()
    server.log.debug({ postgres: line }, 'embedded PostgreSQL')
  })
  const lost = new Promise<void>((resolve) => {
    process.once('exit', (code, signal) => {
      if (stopping) return
      server.log.fatal({ code, signal, lastLines }, 'the embedded PostgreSQL ended')
      resolve()
    })
  })

  const running: RunningServer = {
    lost,
    async stop() {
      stopping = true
      await end(process)
    },
  }
  try {
    await untilReady(process, url)
  } catch (error) {
    await running.stop()
    throw new Error(`The embedded PostgreSQL did not start:\n${lastLines.join('\n')}`, {
      cause: error,
    })
  }
  return running
}

function spawnServer(server: Server) {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: server.sockets,
    ...server.settings,
  }
  const command = [
    ...deathSignal(),
    join(server.binaries, 'bin', 'postgres'),
    '-D',
    clusterPath(server.cluster),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const [program = '', ...parameters] = command
  return spawn(program, parameters, {
    ...server.user,
    cwd: server.cluster,
    env: serverEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: Ctrl-C reaches the service alone, which ends its work first.
    detached: true,
  })
}

/** Linux can end the server when the service is killed; elsewhere the next start ends it. */
function deathSignal(): string[] {
  const command = ['setpriv', '--pdeathsig', 'INT']
  const [program = '', ...parameters] = command
  const works = spawnSync(program, [...parameters, 'true'], { stdio: 'ignore' }).status === 0
  return works ? command : []
}

async function untilReady(process: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    if (process.exitCode !== null || process.signalCode !== null) throw new Error('it ended')
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
    } finally {
      await client.end().catch(() => undefined)
    }
    await delay(20)
  }
}

/** SIGINT is PostgreSQL's fast shutdown: it ends connections and writes a checkpoint. */
async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null || process.pid === undefined) return
  const exited = once(process, 'exit')
  process.kill('SIGINT')
  const impatience = setTimeout(() => process.kill('SIGQUIT'), patienceMs)
  await exited
  clearTimeout(impatience)
}

/**
 * Ends a server that a killed service left behind, and removes the lock files of one that is gone:
 * they hold a process number, which by now may be anybody's.
 */
export async function endOrphan(server: Server): Promise<void> {
  const lockFile = join(server.cluster, 'postmaster.pid')
  const deadline = Date.now() + patienceMs
  for (;;) {
    const pid = Number((await readFile(lockFile, 'utf8').catch(() => '')).split('\n')[0])
    const orphan = await findProcess(pid)
    if (orphan === null || !orphan.commandLine.includes(server.sockets)) break
    if (Date.now() > deadline) throw new Error(`The PostgreSQL server ${pid} does not end`)
    signal(pid)
    await delay(50)
  }
  for (const file of ['.s.PGSQL.5432.lock', '.s.PGSQL.5432']) {
    await rm(join(server.sockets, file), { force: true })
  }
  await rm(lockFile, { force: true })
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    // It ended by itself between the look and the signal.
  }
}
