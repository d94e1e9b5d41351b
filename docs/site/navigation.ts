import { escapeHtml } from './html.ts'
import type { Page } from './page.ts'
import { operationGroups } from './reference/reference-index.ts'
import { operationPath } from './reference/operation-page.ts'

interface Section {
  readonly title: string
  readonly paths: readonly string[]
  /** Its pages follow each other, and none of them is only looked up. */
  readonly isRead?: true
}

/** The pages of the menu in their order; every other page is found from one of these. */
const menu: readonly Section[] = [
  {
    title: 'Begin',
    isRead: true,
    paths: ['/docs', '/docs/guides/first-pdf'],
  },
  {
    title: 'Guides',
    isRead: true,
    paths: [
      '/docs/guides/webhooks',
      '/docs/guides/verifying',
      '/docs/guides/idempotency',
      '/docs/guides/errors',
      '/docs/guides/batches',
      '/docs/guides/pdfa',
      '/docs/guides/limits',
      '/docs/guides/accounts',
      '/docs/guides/clients',
      '/docs/sdk',
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
    isRead: true,
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
  '/docs': 'Overview',
  '/docs/guides/first-pdf': 'Your first PDF',
  '/docs/operating': 'Operating',
  '/docs/sdk': 'TypeScript client',
  '/docs/guides/clients': 'Clients by OpenAPI',
  '/docs/operating/scaling': 'Scaling',
  '/docs/operating/upgrades': 'Upgrades and keys',
}

/** Lists whose entries have pages of their own below them. */
const lists = ['/docs/errors', '/docs/decisions', '/docs/reference']

function parentOf({ path }: Page): string | undefined {
  return lists.find((list) => path.startsWith(`${list}/`))
}

/** Above the title of a page that the menu does not have, the way back to the list that has it. */
export function trailFor(page: Page, titles: ReadonlyMap<string, string>): string {
  const parent = parentOf(page)
  if (parent === undefined) return ''
  return `<nav class="trail" aria-label="Breadcrumb"><a href="${parent}">${escapeHtml(titles.get(parent) ?? '')}</a></nav>`
}

/** At the end of a page that is read from the first line to the last, what comes before and after it. */
export function neighboursOf({ path }: Page, titles: ReadonlyMap<string, string>): string {
  const paths = menu.filter(({ isRead }) => isRead).flatMap(({ paths }) => paths)
  const at = paths.indexOf(path)
  if (at === -1) return ''
  const link = (to: string | undefined, rel: string, word: string) =>
    to === undefined
      ? ''
      : `<a href="${to}" rel="${rel}"><span>${word}</span> ${escapeHtml(labels[to] ?? titles.get(to) ?? '')}</a>`
  return `<nav class="neighbours" aria-label="Next pages">${link(paths[at - 1], 'prev', 'Before')}${link(paths[at + 1], 'next', 'Next')}</nav>`
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
  const isHere = path === page.path || (path !== '/docs/reference' && path === parentOf(page))
  const current = isHere ? ` aria-current="${path === page.path ? 'page' : 'true'}"` : ''
  const link = `<a href="${path}"${current}>${escapeHtml(title)}</a>`
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
