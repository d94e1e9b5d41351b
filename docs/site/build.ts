import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buildSite } from './build-site.ts'
import { docsFolder } from './source-pages.ts'

/** `npm run build`: writes the site to `docs/dist`, from where a service that starts serves it at `/docs`. */
const built = join(docsFolder, 'dist')
const files = await buildSite()

await rm(built, { recursive: true, force: true })
for (const [path, content] of files) {
  const target = join(built, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, content)
}
console.log(`wrote ${files.size} files to ${built}`)
