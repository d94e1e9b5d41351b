import { currentApiVersion } from '@pdfnorm/contracts/schema/api-version'
import { escapeHtml } from './html.ts'
import { menuFor, neighboursOf, trailFor } from './navigation.ts'
import type { Page } from './page.ts'

/** Addresses of the files that every page needs. */
export interface Assets {
  readonly style: string
  readonly script: string
  readonly icon: string
  readonly searchIndex: string
}

/** A whole page: no script and no style stands in it, so that the policy of the answer can forbid them. */
export function layout(page: Page, assets: Assets, titles: ReadonlyMap<string, string>): string {
  const isHome = page.path === '/docs'
  const sections = page.headings.filter(({ level }) => level === 2)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(isHome ? 'pdfnorm documentation' : `${page.title} · pdfnorm`)}</title>
<meta name="description" content="${escapeHtml(summaryOf(page.description))}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<button class="menu-button" type="button" popovertarget="menu">Menu</button>
<a class="brand" href="/docs">pdfnorm <span>docs</span></a>
<form class="search" role="search" data-index="${assets.searchIndex}" hidden>
<input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false" aria-controls="results">
<div class="results" id="results" role="region" aria-live="polite" aria-label="Search results" hidden></div>
</form>
<a class="portal" href="/">Portal</a>
</header>
<div class="columns">
<nav id="menu" class="menu" popover aria-label="Documentation">${menuFor(page, titles)}</nav>
<main id="content" tabindex="-1">
${trailFor(page, titles)}<h1>${escapeHtml(page.title)}</h1>
${page.html}
${neighboursOf(page, titles)}
<footer>Interface ${currentApiVersion} · <a href="/docs/changelog">Changelog</a> · <a href="/api/openapi.json">OpenAPI</a> · <a href="/">Portal</a></footer>
</main>
${sections.length < 2 ? '' : contents(sections)}
</div>
</body>
</html>
`
}

/** What a list of results shows of a page. */
const longestSummary = 200

/** The first sentences of a description, without the marks of code in it. */
function summaryOf(description: string): string {
  const sentences =
    description.replaceAll('`', '').match(/[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]?\s*/g) ?? []
  let summary = ''
  for (const sentence of sentences) {
    if (summary !== '' && summary.length + sentence.trim().length > longestSummary) break
    summary += sentence
  }
  return summary.trim()
}

function contents(sections: readonly { id: string; text: string }[]): string {
  const items = sections.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}
