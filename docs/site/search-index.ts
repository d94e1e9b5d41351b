import { textOfHtml } from './html.ts'
import type { Page } from './page.ts'

/** What the search in the browser looks through (assets/docs.js): one entry for each section of a page. */
export function searchIndex(pages: readonly Page[]): string {
  return JSON.stringify(pages.flatMap(entriesOf))
}

/** Words beyond these tell nothing about a section that those before have not told. */
const longestText = 1200

/** [address, title of the page, title of the section, text] */
function entriesOf({ path, title, html }: Page): [string, string, string, string][] {
  const [beginning = '', ...sections] = html.split(/(?=<h2 id=")/)
  return [
    [path, title, '', shortened(beginning)],
    ...sections.map((section): [string, string, string, string] => {
      const [, id = '', heading = ''] = /^<h2 id="([^"]*)">([^]*?)<\/h2>/.exec(section) ?? []
      const rest = section.slice(section.indexOf('</h2>') + 5)
      return [`${path}#${id}`, title, textOfHtml(heading), shortened(rest)]
    }),
  ]
}

function shortened(html: string): string {
  return textOfHtml(html).slice(0, longestText)
}
