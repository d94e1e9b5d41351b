import {
  type ProblemCode,
  problemCodes,
  problemPath,
  problems,
} from '@pdfnorm/contracts/schema/problem'
import { problemGuidance } from '@pdfnorm/contracts/schema/problem-guidance'
import { codeBlock } from '../code.ts'
import { escapeHtml } from '../html.ts'
import { renderInline } from '../markdown.ts'
import type { Page } from '../page.ts'
import { documentedOperations, openapi } from '../reference/openapi-document.ts'
import { operationPath } from '../reference/operation-page.ts'

/** A page for each code, where the `type` of its problem document leads, and the list of them. */
export function errorPages(): Page[] {
  return [errorList(), ...problemCodes.map(errorPage)]
}

function errorList(): Page {
  const statuses = [...new Set(problemCodes.map((code) => problems[code].status))].sort(
    (a, b) => a - b,
  )
  const sections = statuses.map((status) => {
    const codes = problemCodes.filter((code) => problems[code].status === status)
    const items = codes.map(
      (code) =>
        `<li><a href="${problemPath(code)}"><code>${code}</code></a> ${escapeHtml(problems[code].title)}.</li>`,
    )
    return `<h2 id="${status}">${status}</h2>\n<ul>${items.join('')}</ul>`
  })
  return {
    path: '/docs/errors',
    title: 'Error codes',
    description: 'Every code with which the service refuses a request, its cause and what to do.',
    html: `<p>Every refusal is a problem document (RFC 9457) with one of these codes; its <code>type</code> leads to the page of the code.
How to deal with them in a program is told in <a href="/docs/guides/errors">the guide on errors</a>.</p>\n${sections.join('\n')}`,
    headings: statuses.map((status) => ({ level: 2, id: String(status), text: String(status) })),
  }
}

function errorPage(code: ProblemCode): Page {
  const { status, title } = problems[code]
  const { cause, remedy } = problemGuidance[code]
  const parts = [
    { id: 'cause', text: 'Cause', html: `<p>${renderInline(cause)}</p>` },
    { id: 'what-to-do', text: 'What to do', html: `<p>${renderInline(remedy)}</p>` },
    {
      id: 'example',
      text: 'Example',
      html: `${codeBlock(JSON.stringify(exampleOf(code), null, 2), 'json')}
<p>What happened in your case is in <code>detail</code>; <code>requestId</code> names the request to whoever runs the service.</p>`,
    },
    { id: 'where-it-comes-from', text: 'Where it comes from', html: origins(code) },
  ]
  const sections = parts.map(({ id, text, html }) => `<h2 id="${id}">${text}</h2>\n${html}`)
  return {
    path: problemPath(code),
    title: code,
    description: `${title}. HTTP status ${status}.`,
    html: `<p class="lead">${escapeHtml(title)}. HTTP status ${status}.</p>\n${sections.join('\n')}`,
    headings: parts.map(({ id, text }) => ({ level: 2, id, text })),
  }
}

function exampleOf(code: ProblemCode): unknown {
  const example = openapi.components.examples[code]?.value
  if (example !== undefined) return example
  // Codes of what is no operation, such as a path that does not exist.
  const { status, title } = problems[code]
  const type = `https://pdfnorm.example${problemPath(code)}`
  return { type, title, status, detail: `${title}.`, code, requestId: exampleRequestId }
}

const exampleRequestId = '0199c8a4-6e02-7b19-8c41-fa5e5f0c2b00'

function origins(code: ProblemCode): string {
  const all = documentedOperations()
  const giving = all.filter(({ responses }) =>
    responses.some((response) => response['x-problem-codes']?.includes(code) === true),
  )
  if (giving.length === 0)
    return '<p>Any request, before it is known which operation it is for.</p>'
  if (giving.length === all.length) return '<p>Every operation.</p>'
  const items = giving.map(
    ({ operationId, summary }) =>
      `<li><a href="${operationPath(operationId)}">${escapeHtml(summary)}</a></li>`,
  )
  return `<ul>${items.join('')}</ul>`
}
