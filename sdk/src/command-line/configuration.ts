import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { Pdfnorm } from '../index.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Where the service is and with which key it is called. */
export interface Configuration {
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
}

/** What was stored at login; the environment, and the command line before it, win. */
export async function readConfiguration(
  { environment }: Pick<Terminal, 'environment'>,
  given: { 'base-url'?: string | undefined } = {},
): Promise<Configuration> {
  const stored = await readStored(environment)
  const baseUrl = given['base-url'] ?? environment['PDFNORM_BASE_URL'] ?? stored.baseUrl
  // A stored key goes to the service that it was stored with, and to no other.
  const isSameService = baseUrl === stored.baseUrl
  const apiKey = environment['PDFNORM_API_KEY'] ?? (isSameService ? stored.apiKey : undefined)
  return { baseUrl, apiKey }
}

/** @throws {UsageError} when nobody has said where the service is */
export function clientFor({ baseUrl, apiKey }: Configuration): Pdfnorm {
  if (baseUrl === undefined) {
    throw new UsageError('Where is the service? Run pdfnorm login, or set PDFNORM_BASE_URL.')
  }
  return new Pdfnorm({ baseUrl, apiKey: apiKey ?? null })
}

/** Readable by nobody else, and there as a whole or not at all. */
export async function storeConfiguration(
  environment: Terminal['environment'],
  configuration: Required<Configuration>,
): Promise<string> {
  const path = configurationPath(environment)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.${process.pid}`
  await writeFile(beside, `${JSON.stringify(configuration, null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
  })
  await rename(beside, path)
  return path
}

export async function forgetConfiguration(environment: Terminal['environment']): Promise<void> {
  await rm(configurationPath(environment), { force: true })
}

async function readStored(environment: Terminal['environment']): Promise<Configuration> {
  const path = configurationPath(environment)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    const stored: Configuration = JSON.parse(text)
    return stored
  } catch {
    throw new UsageError(`${path} is not JSON: run pdfnorm login again.`)
  }
}

/** The platform's place for what a user has configured. */
function configurationPath(environment: Terminal['environment']): string {
  const file = join('pdfnorm', 'credentials.json')
  if (environment['XDG_CONFIG_HOME']) return join(environment['XDG_CONFIG_HOME'], file)
  const home = environment['HOME'] ?? homedir()
  if (platform() === 'win32') {
    return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), file)
  }
  if (platform() === 'darwin') return join(home, 'Library', 'Application Support', file)
  return join(home, '.config', file)
}
