import { escapeHtml } from '../html.ts'
import { renderInline } from '../markdown.ts'
import type { Page } from '../page.ts'
import { documentedOperations, openapi, type Operation } from './openapi-document.ts'
import { operationPath } from './operation-page.ts'

/** Operations by what they are about: first what an API key can call, then the others, in the document's order. */
export function operationGroups() {
  const operations = documentedOperations()
  const groups = openapi.tags.map(({ name, description }) => ({
    id: name,
    title: words(name),
    description,
    operations: operations.filter(({ tags = [] }) => tags.includes(name)),
  }))
  const [ofPrograms, ofPeople] = [true, false].map((is) =>
    groups.filter(({ operations }) => operations.some(takesApiKey) === is),
  )
  return [...(ofPrograms ?? []), ...(ofPeople ?? [])]
}

function takesApiKey({ security = [] }: Operation): boolean {
  return security.some((alternative) => 'apiKey' in alternative)
}

/** Every operation on one page; each row has its operationId for an anchor. */
export function referenceIndex(): Page {
  const groups = operationGroups()
  const introduction = openapi.info.description
    .split('\n\n')
    .map((one) => `<p>${renderInline(one)}</p>`)
  const sections = groups.map(
    ({ id, title, description, operations }) => `<h2 id="${id}">${title}</h2>
<p>${escapeHtml(description)}</p>
<ul class="operations">${operations.map(row).join('')}</ul>`,
  )
  return {
    path: '/docs/reference',
    title: 'API reference',
    description: 'Every operation with its parameters, bodies, answers, refusals and examples.',
    html: `${introduction.join('\n')}
<p>The same for tools: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
${sections.join('\n')}`,
    headings: groups.map(({ id, title }) => ({ level: 2, id, text: title })),
  }
}

function row({
  operationId,
  method,
  path,
  summary,
}: ReturnType<typeof documentedOperations>[number]) {
  return `<li id="${operationId}"><a href="${operationPath(operationId)}">${escapeHtml(summary)}</a> <span class="endpoint"><span class="method">${method}</span> <code>${escapeHtml(path)}</code></span></li>`
}

/** `dataProtection` as `Data protection`. */
function words(name: string): string {
  const spaced = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return (spaced.charAt(0).toUpperCase() + spaced.slice(1)).replace(/^Api\b/, 'API')
}
