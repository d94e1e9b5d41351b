import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { builtPortal } from '../build/build-portal.ts'

/** What Vite tells of the files that it made. */
const Manifest = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]) }),
)

const entry = 'index.html'

/** The JavaScript, gzipped, that each page needs before it is seen, and in how many files; 1 kB is 1,000 bytes. */
export async function firstLoads(): Promise<{ page: string; kilobytes: number; files: number }[]> {
  const text = await readFile(join(builtPortal, '.vite/manifest.json'), 'utf8')
  const manifest = Manifest.parse(JSON.parse(text))
  const pages = Object.keys(manifest).filter((source) => source.endsWith('-page.tsx'))
  return Promise.all(
    pages.map(async (page) => {
      const layout = page.includes('/sign-in/') ? 'visitor' : 'member'
      const needed = withImports(manifest, [entry, `src/shell/${layout}-layout.tsx`, page])
      const sizes = await Promise.all(needed.map((file) => stat(join(builtPortal, `${file}.gz`))))
      const bytes = sizes.reduce((sum, { size }) => sum + size, 0)
      return { page, kilobytes: bytes / 1000, files: needed.length }
    }),
  )
}

function withImports(manifest: z.infer<typeof Manifest>, sources: string[]): string[] {
  const needed = new Set(sources)
  // A set gives what is added to it while it is walked.
  for (const source of needed) {
    for (const imported of manifest[source]?.imports ?? []) needed.add(imported)
  }
  return [...needed].flatMap((source) => manifest[source]?.file ?? [])
}
