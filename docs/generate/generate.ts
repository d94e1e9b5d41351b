import { readFile, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { sourcePages } from '../site/source-pages.ts'
import { withGeneratedParts } from './generated-parts.ts'

/**
 * Writes the generated parts of the pages anew, or with `--check` only compares: then stale pages are listed and
 * the exit code is 1.
 */
const isCheck = process.argv.includes('--check')
const stale: string[] = []

for (const path of await sourcePages()) {
  const page = await readFile(path, 'utf8')
  const current = withGeneratedParts(page)
  if (current === page) continue
  const name = relative(process.cwd(), path)
  if (isCheck) stale.push(name)
  else {
    await writeFile(path, current)
    console.log(`wrote ${name}`)
  }
}

if (stale.length > 0) {
  console.error(`Not current (npm run generate):\n${stale.map((name) => `  ${name}\n`).join('')}`)
  process.exitCode = 1
}
