import { glob, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { docsFolder } from './source-pages.ts'

// Before every `npm start`: the site is built if there is none, or if something that it is made of is newer. Whatever is
// missing for that is said, and the service starts all the same, with plain pages.
const sources = [
  '{.,guides,operating,decisions}/*.md',
  'openapi.json',
  '../sdk/README.md',
  '{site,generate}/**/*.*',
  '../contracts/src/**/*.ts',
]

try {
  const built = await stat(join(docsFolder, 'dist/index.html')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  if (await isNewer(built)) {
    // Not at the top: without the development dependencies there is no renderer.
    const { writeSite } = await import('./write-site.ts')
    await writeSite()
  }
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  process.stderr.write(`The documentation could not be built: ${reason}\n`)
}

async function isNewer(built: number): Promise<boolean> {
  for await (const path of glob(sources, { cwd: docsFolder })) {
    if ((await stat(join(docsFolder, path))).mtimeMs > built) return true
  }
  return false
}
