import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import type { Snippet } from './guide-snippets.ts'
import { isPrinted } from './guide-snippets.ts'

/** So long a receiver of webhooks may take until it has printed what a guide says. */
const patienceMs = 20_000

/**
 * Somebody who follows guides: one shell in one folder, files saved where they are named, further terminals beside it.
 * What a guide says is printed has to be printed.
 */
export class GuideReader implements AsyncDisposable {
  readonly #folder: string
  readonly #places: Readonly<Record<string, string>>
  readonly #shell: ChildProcess
  #terminal: { process: ChildProcess; printed: string } | null = null
  #printed = ''
  #faults = ''
  #steps = 0
  #onChange = () => {}

  /** @param places addresses and ports that guides name, and where these are here */
  constructor(folder: string, places: Readonly<Record<string, string>>) {
    this.#folder = folder
    this.#places = places
    this.#shell = spawn('bash', ['-euo', 'pipefail'], { cwd: folder, env: environment() })
    this.#shell.stderr?.on('data', (text: Buffer) => (this.#faults += text.toString()))
    this.#shell.stdout?.on('data', (text: Buffer) => {
      this.#printed += text.toString()
      this.#onChange()
    })
    this.#shell.on('close', () => this.#onChange())
  }

  /** @throws {Error} when a command fails, or prints something else than the guide says */
  async follow(snippet: Snippet): Promise<void> {
    switch (snippet.kind) {
      case 'file':
        return writeFile(path.join(this.#folder, snippet.name), this.#here(snippet.code))
      case 'command':
        if (snippet.inAnotherTerminal) return this.#openTerminal(this.#here(snippet.code))
        await this.#type(this.#here(snippet.code))
        return
      case 'output':
        if (snippet.ofAnotherTerminal) return this.#awaitTerminal(this.#here(snippet.text))
        if (!isPrinted(this.#printed, this.#here(snippet.text))) {
          throw new Error(`Printed was\n${this.#printed}\nand not\n${snippet.text}`)
        }
    }
  }

  /** The variables of the shell that it has exported, with these others of its own. */
  async variables(...others: readonly string[]): Promise<Record<string, string>> {
    await this.#type(`${others.map((name) => `${name}="$${name}" `).join('')}env -0`)
    const pairs = this.#printed.split('\0').map((line) => line.split(/=(.*)/s).slice(0, 2))
    return Object.fromEntries(pairs.filter(([name]) => name !== undefined && name !== '_'))
  }

  /** What is left running when a guide is over. */
  async closeTerminal(): Promise<void> {
    const running = this.#terminal?.process
    this.#terminal = null
    if (running?.pid === undefined || running.exitCode !== null) return
    const exit = once(running, 'exit')
    process.kill(-running.pid)
    await exit
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeTerminal()
    this.#shell.kill()
  }

  /** Runs a command to its end; what it printed is then in `#printed`. */
  async #type(code: string): Promise<void> {
    const end = `step ${++this.#steps} is done`
    this.#printed = ''
    this.#faults = ''
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#onChange = () => {
      if (this.#printed.includes(end)) resolve()
      else if (this.#shell.exitCode !== null) {
        reject(new Error(`This failed:\n${code}\n${this.#printed}\n${this.#faults}`))
      }
    }
    this.#shell.stdin?.write(`{\n${code}\n} < /dev/null\nprintf '\\n%s\\n' '${end}'\n`)
    await promise
  }

  /** A terminal has the variables that the shell has exported. */
  async #openTerminal(code: string): Promise<void> {
    await this.closeTerminal()
    const env = await this.variables()
    const terminal = spawn('bash', ['-euo', 'pipefail', '-c', code], {
      cwd: this.#folder,
      env,
      detached: true,
    })
    const opened = { process: terminal, printed: '' }
    for (const stream of [terminal.stdout, terminal.stderr]) {
      stream.on('data', (text: Buffer) => (opened.printed += text.toString()))
    }
    this.#terminal = opened
  }

  async #awaitTerminal(expected: string): Promise<void> {
    const terminal = this.#terminal
    if (terminal === null) throw new Error('No other terminal is open')
    const until = Date.now() + patienceMs
    while (!isPrinted(terminal.printed, expected)) {
      if (Date.now() > until || terminal.process.exitCode !== null) {
        throw new Error(`The other terminal printed\n${terminal.printed}\nand not\n${expected}`)
      }
      await passed(20)
    }
  }

  #here(text: string): string {
    return Object.entries(this.#places).reduce(
      (text, [named, here]) => text.replaceAll(named, here),
      text,
    )
  }
}

/** That of the test run without settings of the client, and with the Node that runs it. */
function environment(): Record<string, string> {
  const own = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith('PDFNORM') ? [] : [[name, value]],
  )
  return {
    ...Object.fromEntries(own),
    PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
  }
}
