import { codeBlock } from '../code.ts'
import { escapeHtml } from '../html.ts'
import { renderInline } from '../markdown.ts'
import type { Page } from '../page.ts'
import { openapi } from '../reference/openapi-document.ts'
import { describe, schemaFields, schemaSummary } from '../reference/schema-fields.ts'

/** Every event with its payload, out of the document's webhooks. */
export function eventPage(): Page {
  const events = Object.entries(openapi.webhooks).map(([name, { post }]) => ({ name, ...post }))
  const [first] = events
  const headers = (first?.parameters ?? []).map(
    ({ name, schema, description = '', required }) =>
      `<li><code class="name">${name}</code> ${schemaSummary(schema)}${required === true ? '' : ' <span class="optional">not always</span>'}${describe({ description })}</li>`,
  )
  const sections = events.map(({ name, summary, requestBody }) => {
    const [content] = Object.values(requestBody?.content ?? {})
    if (content === undefined) throw new Error(`${name} has no body`)
    return `<h2 id="${name}"><code>${name}</code></h2>
<p>${escapeHtml(summary)}.</p>
${codeBlock(JSON.stringify(content.example, null, 2), 'json')}
<details><summary>Fields</summary>${schemaFields(content.schema)}</details>`
  })
  return {
    path: '/docs/events',
    title: 'Events',
    description: 'What is sent to webhooks: every event with an example of its payload.',
    html: `<p>${renderInline(first?.description ?? '')}</p>
<p>How to receive and verify them is told in <a href="/docs/guides/webhooks">the guide on webhooks</a>.</p>
<h2 id="headers">Headers</h2>
<ul class="fields">${headers.join('')}</ul>
${sections.join('\n')}`,
    headings: [
      { level: 2, id: 'headers', text: 'Headers' },
      ...events.map(({ name }) => ({ level: 2, id: name, text: name })),
    ],
  }
}
