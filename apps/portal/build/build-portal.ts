import { randomUUID } from 'node:crypto'
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

/** Where the server looks for the portal (apps/api/src/http/portal.ts). */
export const builtPortal = fileURLToPath(new URL('../dist/', import.meta.url))

/** The file that says of which sources a portal was built. */
export const stampFile = 'built-from.txt'

/**
 * Builds the portal with a compressed form beside each file that gains by it. It takes the place of the former one when
 * it is complete, so that builds at the same time do no harm.
 *
 * @param stamp of the sources
 */
export async function buildPortal(stamp: string): Promise<void> {
  const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
  const name = randomUUID()
  const fresh = join(builtPortal, `../.dist-${name}`)
  const former = join(builtPortal, `../.dist-former-${name}`)
  try {
    await build({ configFile, logLevel: 'warn', build: { outDir: fresh, emptyOutDir: true } })
    await compressFiles(fresh)
    await writeFile(join(fresh, stampFile), stamp)
    await rename(builtPortal, former).catch(() => undefined)
    await rename(fresh, builtPortal)
  } finally {
    await rm(former, { recursive: true, force: true })
    await rm(fresh, { recursive: true, force: true })
  }
}

const compressible = new Set(['.js', '.mjs', '.css', '.svg', '.json', '.wasm'])

async function compressFiles(directory: string): Promise<void> {
  for await (const name of glob('**/*.*', { cwd: directory })) {
    if (!compressible.has(extname(name))) continue
    const path = join(directory, name)
    const bytes = await readFile(path)
    await Promise.all([
      brotli(bytes).then((packed) => writeFile(`${path}.br`, packed)),
      promisify(gzip)(bytes, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
    ])
  }
}

function brotli(bytes: Uint8Array): Promise<Uint8Array> {
  // The highest quality takes seconds a megabyte and gains little over this one.
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
}
