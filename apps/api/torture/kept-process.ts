import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

export interface ProcessPlan {
  name: string
  /** The module that Node runs. */
  module: string
  args?: readonly string[]
  env: Readonly<Record<string, string>>
  /** Where its output goes, of all its lives. */
  logPath: string
  /** Whether it does its work now; asked again and again after each start. */
  answers: () => Promise<boolean>
}

/** Nothing of our own environment but where programs and temporary files are. */
const inherited = Object.fromEntries(
  ['PATH', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

/**
 * A process that is started again whenever it ended, as a supervisor in production does.
 *
 * An end that nobody asked for, of a process that was at work, is its own fault and kept for the report. One that ended
 * before it was at work may have found no database to start with.
 */
export class KeptProcess {
  readonly endsOfItsOwn: string[] = []
  readonly #plan: ProcessPlan
  #child: ChildProcess | null = null
  #life: Promise<void> = Promise.resolve()
  #endIsAskedFor = false
  #isAtWork = false
  #wasAtWork = false
  #isRetired = false

  constructor(plan: ProcessPlan) {
    this.#plan = plan
  }

  get name(): string {
    return this.#plan.name
  }

  /** @throws Error when it does not run */
  get pid(): number {
    const pid = this.#child?.pid
    if (pid === undefined) throw new Error(`${this.name} does not run`)
    return pid
  }

  /**
   * Resolves when it is at work.
   *
   * @throws Error when it ends before it ever was
   */
  async start(): Promise<void> {
    await this.#spawn()
    while (!this.#isRetired && !(await this.#plan.answers())) {
      if (this.#child === null && !this.#wasAtWork) {
        throw new Error(`${this.name} cannot start: see ${this.#plan.logPath}`)
      }
      await delay(50)
    }
    this.#isAtWork = this.#child !== null
    this.#wasAtWork ||= this.#isAtWork
  }

  /**
   * Ends it, lets it be away for a while and starts it again.
   *
   * @param end a signal for it, or what ends it in another way
   */
  async restart(end: NodeJS.Signals | (() => Promise<void>), awayMs: number): Promise<void> {
    this.#endIsAskedFor = true
    if (typeof end === 'string') this.#signal(end)
    else await end()
    await this.#life
    await delay(awayMs)
    if (!this.#isRetired) await this.start()
  }

  /** It gets no time of the processor for a while, and knows nothing of it. */
  async freeze(forMs: number): Promise<void> {
    this.#signal('SIGSTOP')
    await delay(forMs)
    this.#signal('SIGCONT')
  }

  /** Ends it politely and for good. @returns its exit code; null when a signal had to end it */
  async retire(patienceMs: number): Promise<number | null> {
    this.#isRetired = true
    const child = this.#child
    this.#signal('SIGTERM')
    const impatience = setTimeout(() => this.#signal('SIGKILL'), patienceMs)
    await this.#life
    clearTimeout(impatience)
    return child?.exitCode ?? null
  }

  async #spawn(): Promise<void> {
    const log = createWriteStream(this.#plan.logPath, { flags: 'a' })
    await once(log, 'open')
    const child = spawn(process.execPath, [this.#plan.module, ...(this.#plan.args ?? [])], {
      env: { ...inherited, ...this.#plan.env },
      stdio: ['ignore', log, log],
    })
    log.close()
    this.#child = child
    this.#endIsAskedFor = false
    this.#isAtWork = false
    this.#life = once(child, 'exit').then(([code, signal]: unknown[]) =>
      this.#ended(String(code ?? signal)),
    )
  }

  #ended(how: string): void {
    this.#child = null
    if (this.#endIsAskedFor || this.#isRetired) return
    if (this.#isAtWork) this.endsOfItsOwn.push(`${this.name} ended by itself with ${how}`)
    setTimeout(() => void this.#startAgain(), 500)
  }

  async #startAgain(): Promise<void> {
    if (!this.#isRetired && this.#wasAtWork && this.#child === null) await this.start()
  }

  #signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }
}

/** Whether a process of the service answers for itself at this address. */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
