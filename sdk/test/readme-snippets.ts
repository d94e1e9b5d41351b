import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The TypeScript of the package's README, in its order. */
export async function readmeSnippets(): Promise<string[]> {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, snippet = '']) => snippet)
}
