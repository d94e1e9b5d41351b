import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** The folder `docs` of the repository. */
export const docsFolder = resolve(import.meta.dirname, '..')

/** Every written page, as absolute paths in their order. */
export async function sourcePages(): Promise<string[]> {
  const folders = ['', 'guides', 'operating', 'decisions']
  const found: string[] = []
  for (const folder of folders) {
    const names = await readdir(join(docsFolder, folder))
    found.push(...names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name)))
  }
  return found.sort().map((path) => join(docsFolder, path))
}
