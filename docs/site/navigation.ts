import { escapeHtml } from './html.ts'
import type { Page } from './page.ts'
import { operationGroups } from './reference/reference-index.ts'
import { operationPath } from './reference/operation-page.ts'

/** The pages of the menu in their order; every other page is found from one of these. */
const menu: readonly { readonly title: string; readonly paths: readonly string[] }[] = [
  {
    title: 'Begin',
    paths: ['/docs', '/docs/guides/first-pdf'],
  },
  {
    title: 'Guides',
    paths: [
      '/docs/guides/webhooks',
      '/docs/guides/verifying',
      '/docs/guides/idempotency',
      '/docs/guides/errors',
      '/docs/guides/batches',
      '/docs/guides/pdfa',
      '/docs/guides/limits',
      '/docs/guides/accounts',
    ],
  },
  {
    title: 'Reference',
    paths: [
      '/docs/reference',
      '/docs/errors',
      '/docs/outcomes',
      '/docs/events',
      '/docs/pipeline',
      '/docs/glossary',
    ],
  },
  {
    title: 'Run it yourself',
    paths: [
      '/docs/guides/self-hosting',
      '/docs/operating',
      '/docs/operating/settings',
      '/docs/operating/containers',
      '/docs/operating/database',
      '/docs/operating/scaling',
      '/docs/operating/metrics',
      '/docs/operating/logs-and-traces',
      '/docs/operating/upgrades',
      '/docs/operating/backups',
      '/docs/operating/pdfa',
      '/docs/operating/citus',
    ],
  },
  {
    title: 'About',
    paths: ['/docs/changelog', '/docs/decisions'],
  },
]

/** Shorter than the title of the page, where the section says the rest. */
const labels: Readonly<Record<string, string>> = {
  '/docs/operating/pdfa': 'PDF/A and veraPDF',
  '/docs': 'Overview',
  '/docs/guides/first-pdf': 'Your first PDF',
  '/docs/operating': 'Operating',
  '/docs/operating/scaling': 'Scaling',
  '/docs/operating/upgrades': 'Upgrades and keys',
}

/** The menu as a reader of one page sees it; within the reference it has the operations, too. */
export function menuFor(page: Page, titles: ReadonlyMap<string, string>): string {
  const titleOf = (path: string) => {
    const title = titles.get(path)
    if (title === undefined) throw new Error(`The menu has ${path}, which is no page`)
    return title
  }
  const sections = menu.map(({ title, paths }) => {
    const items = paths.map((path) => menuItem(path, labels[path] ?? titleOf(path), page))
    return `<h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`
  })
  return sections.join('')
}

function menuItem(path: string, title: string, page: Page): string {
  const link = `<a href="${path}"${path === page.path ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`
  const isReference = path === '/docs/reference' && page.path.startsWith('/docs/reference')
  return `<li>${link}${isReference ? operationsMenu(page) : ''}</li>`
}

function operationsMenu(page: Page): string {
  const groups = operationGroups().map(({ title, operations }) => {
    const isHere = operations.some(({ operationId }) => operationPath(operationId) === page.path)
    const items = operations.map(({ operationId, summary }) => {
      const path = operationPath(operationId)
      return `<li><a href="${path}"${path === page.path ? ' aria-current="page"' : ''}>${escapeHtml(summary)}</a></li>`
    })
    return `<li><details${isHere ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${items.join('')}</ul></details></li>`
  })
  return `<ul class="groups">${groups.join('')}</ul>`
}
