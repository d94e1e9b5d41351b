import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A line of the log of a process. */
export type LogLine = Record<string, unknown> & { msg?: string }

/** A process of the service, as an operator starts it. */
export interface ServiceProcess {
  readonly child: ChildProcess
  /** Without a trailing slash; of a worker without a port it leads nowhere. */
  readonly url: string
  /** What it has logged until now. */
  readonly log: readonly LogLine[]
  /** Resolves with the first line that matches, also one that is there already. */
  logged(matches: (line: LogLine) => boolean): Promise<LogLine>
  /** Tells it to end, and waits until it has. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Starts a process and waits until it says that it is ready. */
export async function startProcess(environment: Record<string, string>): Promise<ServiceProcess> {
  const started = spawnProcess(environment)
  const gone = once(started.child, 'exit').then(([code]) => {
    throw new Error(`The process ended with ${String(code)} before it was ready`)
  })
  const { port } = await Promise.race([started.logged(({ msg }) => msg === 'ready'), gone])
  return { ...started, url: `http://127.0.0.1:${String(port)}` }
}

function spawnProcess(environment: Record<string, string>): Omit<ServiceProcess, 'url'> {
  const serve = new URL('../src/serve.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [serve], {
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'debug', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const log: LogLine[] = []
  const waiting = new Set<(line: LogLine) => void>()
  createInterface({ input: child.stdout }).on('line', (text) => {
    if (!text.startsWith('{')) return
    const line = JSON.parse(text) as LogLine
    log.push(line)
    for (const look of waiting) look(line)
  })

  return {
    child,
    log,
    logged: (matches) =>
      new Promise((resolve) => {
        const known = log.find(matches)
        if (known !== undefined) return resolve(known)
        const look = (line: LogLine) => {
          if (!matches(line)) return
          waiting.delete(look)
          resolve(line)
        }
        waiting.add(look)
      }),
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    },
  }
}
