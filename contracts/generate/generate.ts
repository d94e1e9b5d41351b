import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { generatedDirectory, generatedFiles, root } from './generated-files.ts'

/**
 * Writes every generated file, or with `--check` only compares: then stale files are listed and the exit code
 * is 1.
 */
const stale = await staleFiles()

if (!process.argv.includes('--check')) {
  for (const path of stale.leftOver) await rm(path)
  for (const [path, content] of stale.changed) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    console.log(`wrote ${relative(root, path)}`)
  }
} else if (stale.changed.size + stale.leftOver.length > 0) {
  const paths = [...stale.changed.keys(), ...stale.leftOver]
  console.error(
    `Not current (npm run generate):\n${paths.map((path) => `  ${relative(root, path)}\n`).join('')}`,
  )
  process.exitCode = 1
}

async function staleFiles(): Promise<{ changed: Map<string, string>; leftOver: string[] }> {
  const files = generatedFiles()
  const changed = new Map<string, string>()
  for (const [path, content] of files) {
    if ((await readIfPresent(path)) !== content) changed.set(path, content)
  }
  const present = await readdir(generatedDirectory).catch(() => [])
  const leftOver = present
    .map((name) => join(generatedDirectory, name))
    .filter((path) => !files.has(path))
  return { changed, leftOver }
}

async function readIfPresent(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
