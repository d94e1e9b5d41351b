import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** The one secret that others are derived from or encrypted under: `SECRETS_KEY`, 32 bytes. */
export interface SecretsKey {
  /**
   * A key of its own for one purpose (HKDF-SHA-256, RFC 5869, without salt).
   *
   * @param purpose fixed text, for example `signing-key encryption`
   */
  derive(purpose: string, bytes: number): Buffer
}

/**
 * The key from the configuration; without one (development only) the file `secrets-key` in the
 * data directory, made at the first start and readable by its owner alone.
 */
export async function loadSecretsKey(
  config: Pick<Config, 'secretsKey' | 'dataDirectory'>,
): Promise<SecretsKey> {
  const key = config.secretsKey ?? (await keyInDataDirectory(config.dataDirectory))
  return {
    derive: (purpose, bytes) =>
      Buffer.from(hkdfSync('sha256', key, new Uint8Array(), `pdfnorm ${purpose}`, bytes)),
  }
}

async function keyInDataDirectory(dataDirectory: string): Promise<Buffer> {
  const path = join(dataDirectory, 'secrets-key')
  await mkdir(dataDirectory, { recursive: true })
  // Written whole and then linked: of several processes that start at once one names it, and none
  // reads half a key.
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  try {
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length !== 32) throw new Error(`${path} does not hold a key of 32 bytes`)
  return key
}
