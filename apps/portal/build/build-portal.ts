import { randomUUID } from 'node:crypto'
import { cp, glob, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
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
    await copyPdfFiles(fresh)
    await compressFiles(fresh)
    await writeFile(join(fresh, stampFile), stamp)
    await rename(builtPortal, former).catch(() => undefined)
    await rename(fresh, builtPortal)
  } finally {
    await rm(former, { recursive: true, force: true })
    await rm(fresh, { recursive: true, force: true })
  }
}

/** What pdf.js reads of its own accord, at an address that changes with it (src/submissions/open-pdf.ts). */
async function copyPdfFiles(directory: string): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  for (const folder of ['cmaps', 'iccs', 'standard_fonts', 'wasm']) {
    const to = join(directory, 'assets', `pdfjs-${version}`, folder)
    await cp(join(dirname(manifest), folder), to, {
      recursive: true,
      // Its policy lets the portal run no WebAssembly.
      filter: (path) => !path.endsWith('.wasm') && !path.includes('quickjs'),
    })
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
