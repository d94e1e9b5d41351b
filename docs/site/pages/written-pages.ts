import { readFile } from 'node:fs/promises'
import { posix, relative, sep } from 'node:path'
import { textOfHtml } from '../html.ts'
import { type HrefOf, renderMarkdown } from '../markdown.ts'
import type { Page } from '../page.ts'
import { docsFolder, sourcePages } from '../source-pages.ts'

/** Pages for people who change the service: they are read in the repository. */
const unpublished = new Set(['contributing.md'])

/** Addresses of the portal that pages lead to. */
const ofPortal = new Set(['/', '/certificate-check'])

/** Pages that lie beside what they are about, and their addresses. */
const elsewhere = new Map([['../sdk/README.md', '/docs/sdk']])

/** The pages that are written by hand, as they lie in `docs`. */
export async function writtenPages(): Promise<Page[]> {
  const paths = await sourcePages()
  const names = paths.map((path) => relative(docsFolder, path).split(sep).join('/'))
  const own = names.filter((name) => !unpublished.has(name))
  const published = new Set([...own, ...elsewhere.keys()])
  return Promise.all(
    [...published].map(async (name) => {
      const source = await readFile(`${docsFolder}/${name}`, 'utf8')
      return writtenPage(name, source, published)
    }),
  )
}

function writtenPage(name: string, source: string, published: ReadonlySet<string>): Page {
  const hrefOf: HrefOf = (target) => {
    const [file = '', fragment] = target.split('#')
    const anchor = fragment === undefined ? '' : `#${fragment}`
    if (file === '') return anchor
    // A page may name what only the site has.
    if (file.startsWith('/docs/') || file.startsWith('/api/') || ofPortal.has(file)) return target
    const path = file.startsWith('/') ? file.slice(1) : posix.join(posix.dirname(name), file)
    if (path === 'openapi.json') return '/api/openapi.json'
    if (path === 'decisions' || path === 'decisions/') return '/docs/decisions'
    if (published.has(path)) return pathOf(path) + anchor
    // What lies elsewhere in the repository is named, and has no page.
    if (path.startsWith('../') || unpublished.has(path)) return null
    throw new Error(`${name} links to ${target}`)
  }
  const { title, html, headings } = renderMarkdown(source, hrefOf)
  const [, lead = ''] = /<p>([^]*?)<\/p>/.exec(html) ?? []
  return { path: pathOf(name), title, description: textOfHtml(lead), html, headings }
}

/** `guides/webhooks.md` is at `/docs/guides/webhooks`, `operating/README.md` at `/docs/operating`. */
function pathOf(name: string): string {
  const apart = elsewhere.get(name)
  if (apart !== undefined) return apart
  const path = name.replace(/\.md$/, '').replace(/(?:^|\/)(?:README|index)$/, '')
  return path === '' ? '/docs' : `/docs/${path}`
}

/** Every decision, by its number. */
export function decisionIndex(pages: readonly Page[]): Page {
  const decisions = pages.filter(({ path }) => path.startsWith('/docs/decisions/'))
  const items = decisions.map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`)
  return {
    path: '/docs/decisions',
    title: 'Decisions',
    description: 'What was decided where a reader would ask why, one page each.',
    html: `<p>What was decided where a reader would ask why: the context, the decision, what it costs, and when to look at it again.</p>
<ul class="plain">${items.join('')}</ul>`,
    headings: [],
  }
}
