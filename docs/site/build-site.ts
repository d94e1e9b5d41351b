import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Assets, layout } from './layout.ts'
import type { Page } from './page.ts'
import { errorPages } from './pages/error-pages.ts'
import { eventPage } from './pages/event-page.ts'
import { outcomePage } from './pages/outcome-page.ts'
import { decisionIndex, writtenPages } from './pages/written-pages.ts'
import { documentedOperations } from './reference/openapi-document.ts'
import { operationPage } from './reference/operation-page.ts'
import { referenceIndex } from './reference/reference-index.ts'
import { searchIndex } from './search-index.ts'
import { docsFolder } from './source-pages.ts'

/** Portal and documentation are told apart by their titles. */
const portalIcon = join(docsFolder, '../apps/portal/public/favicon.svg')

/** Every file of the site, by its path below the folder that is served at `/docs`. */
export async function buildSite(): Promise<Map<string, string>> {
  const pages = await allPages()
  const files = new Map<string, string>()
  const asset = (name: string, content: string): string => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
    const path = `assets/${name.replace('.', `-${hash}.`)}`
    files.set(path, content)
    return `/docs/${path}`
  }
  const source = (name: string) => readFile(join(import.meta.dirname, 'assets', name), 'utf8')
  const assets: Assets = {
    style: asset('docs.css', await source('docs.css')),
    script: asset('docs.js', await source('docs.js')),
    icon: asset('icon.svg', await readFile(portalIcon, 'utf8')),
    searchIndex: asset('search.json', searchIndex(pages.filter((page) => page !== notFoundPage))),
  }
  const titles = new Map(pages.map(({ path, title }) => [path, title]))
  for (const page of pages) files.set(fileOf(page), layout(page, assets, titles))
  return files
}

async function allPages(): Promise<Page[]> {
  const written = await writtenPages()
  const pages = [
    ...written,
    decisionIndex(written),
    referenceIndex(),
    ...documentedOperations().map(operationPage),
    ...errorPages(),
    eventPage(),
    outcomePage(),
    notFoundPage,
  ]
  const paths = pages.map(({ path }) => path)
  const twice = paths.find((path, at) => paths.indexOf(path) !== at)
  if (twice !== undefined) throw new Error(`Two pages are at ${twice}`)
  return pages
}

/** What the service answers where there is no page. */
const notFoundPage: Page = {
  path: '/docs/not-found',
  title: 'There is no such page',
  description: 'The documentation has no page at this address.',
  html: `<p>It may have moved, or the link was cut off.</p>
<ul><li><a href="/docs">Begin at the overview</a></li><li><a href="/docs/reference">Look through the API reference</a></li>
<li><a href="/docs/errors">Find the code of an error</a></li></ul>`,
  headings: [],
}

/** `/docs/guides/webhooks` is `guides/webhooks.html`. */
function fileOf({ path }: Page): string {
  return path === '/docs' ? 'index.html' : `${path.slice('/docs/'.length)}.html`
}
