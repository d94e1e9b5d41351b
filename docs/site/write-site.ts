import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buildSite } from './build-site.ts'
import { docsFolder } from './source-pages.ts'

/** From where a service that starts serves the site at `/docs`. */
export const builtSite = join(docsFolder, 'dist')

/** Builds the site in place of the one that is there, and gives the number of its files. */
export async function writeSite(): Promise<number> {
  const files = await buildSite()
  await rm(builtSite, { recursive: true, force: true })
  for (const [path, content] of files) {
    const target = join(builtSite, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
  }
  return files.size
}
