import { PdfnormError } from '../index.ts'
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes.ts'
import { listenCommand } from './listen.ts'
import { loginCommand, logoutCommand } from './login.ts'
import { normalizeCommand } from './normalize.ts'
import { errorText, processTerminal, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { usage } from './usage.ts'
import { verifyCommand } from './verify.ts'

type Command = (args: readonly string[], terminal: Terminal) => Promise<ExitCode>

const commands: Readonly<Record<string, Command>> = {
  normalize: normalizeCommand,
  verify: verifyCommand,
  listen: listenCommand,
  login: loginCommand,
  logout: logoutCommand,
}

/**
 * The command line over this process.
 *
 * @param args what was typed after the program's name
 */
export async function runCommandLine(args: readonly string[], version: string): Promise<ExitCode> {
  const controller = new AbortController()
  const terminal = processTerminal(controller.signal)
  // The first time what is being written is taken away; the second time the process just ends.
  const interrupt = () => controller.abort(new Error('interrupted'))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  // Who reads a pipe may have read enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    return await run(args, version, terminal)
  } catch (error) {
    terminal.showProgress(null)
    if (controller.signal.aborted) return exitCodes.interrupted
    terminal.tell(errorText(error, null))
    if (error instanceof UsageError) terminal.tell('pdfnorm help tells more.')
    else if (!(error instanceof PdfnormError) && terminal.environment['PDFNORM_DEBUG']) throw error
    return exitCodeOf(error)
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

async function run(
  [name, ...args]: readonly string[],
  version: string,
  terminal: Terminal,
): Promise<ExitCode> {
  if (name === undefined) {
    terminal.tell(usage())
    return exitCodes.usage
  }
  if (args.includes('--help') || /^(help|--help|-h)$/.test(name)) {
    terminal.print(usage())
    return exitCodes.done
  }
  if (name === '--version') {
    terminal.print(version)
    return exitCodes.done
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new UsageError(`There is no command ${name}`)
  return command(args, terminal)
}
