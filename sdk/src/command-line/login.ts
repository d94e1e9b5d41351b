import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { Pdfnorm, PermissionError } from '../index.ts'
import { forgetConfiguration, readConfiguration, storeConfiguration } from './configuration.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { parseCommand } from './parse-command.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** `pdfnorm login [--base-url https://…]`; the key is asked for, or read from a pipe. */
export async function loginCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = parseCommand(args, { 'base-url': { type: 'string' } })
  const known = await readConfiguration(terminal, values)
  const baseUrl = (
    known.baseUrl ?? (await ask('Address of the service: ', 'shown', terminal.signal))
  ).replace(/\/+$/, '')
  if (!isAddress(baseUrl)) throw new UsageError(`${baseUrl} is not an address, as https://…`)
  const apiKey = (await ask(`API key for ${baseUrl}: `, 'hidden', terminal.signal)).trim()
  if (!isKey(apiKey))
    throw new UsageError('That is not a pdfnorm key: a character is wrong or missing')
  await tryOut(baseUrl, apiKey, terminal.signal)
  const path = await storeConfiguration(terminal.environment, { baseUrl, apiKey })
  terminal.print(`Signed in to ${baseUrl}; the key is in ${path}`)
  return exitCodes.done
}

/** `pdfnorm logout` */
export async function logoutCommand(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  parseCommand(args, {})
  await forgetConfiguration(terminal.environment)
  terminal.print('Signed out. The key itself stays valid until it is revoked in the portal.')
  return exitCodes.done
}

/** A key that lacks the scope `read` is a key all the same. */
async function tryOut(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<void> {
  try {
    await new Pdfnorm({ baseUrl, apiKey }).listBatches({ page_size: 1 }, { signal })
  } catch (error) {
    if (!(error instanceof PermissionError)) throw error
  }
}

async function ask(
  question: string,
  echo: 'shown' | 'hidden',
  signal: AbortSignal,
): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) {
    const chunks: Buffer[] = []
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
    const text = Buffer.concat(chunks).toString('utf8')
    if (text === '') throw new UsageError('Give --base-url, and the key through a pipe')
    return text
  }
  stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({
    input: stdin,
    output: echo === 'hidden' ? silent : stderr,
    terminal: true,
  })
  // The terminal hands Ctrl-C to whoever reads its lines.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await lines.question('', { signal })
  } finally {
    lines.close()
    if (echo === 'hidden') stderr.write('\n')
  }
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `pdfnorm_`, 30 characters, and six that are their CRC-32: a typing error shows before anything is sent. */
function isKey(text: string): boolean {
  const [, secret = '', checksum = ''] =
    /^pdfnorm_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text) ?? []
  let value = 0
  for (const digit of checksum) value = value * base62.length + base62.indexOf(digit)
  return secret !== '' && value === crc32(secret)
}
