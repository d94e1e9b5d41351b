import {
  type ProblemCode,
  problemCodes,
  problemPath,
  problems,
} from '@pdfnorm/contracts/schema/problem'
import { problemGuidance } from '@pdfnorm/contracts/schema/problem-guidance'
import { z } from 'zod'

/** The pages hold their style themselves and nothing else. */
export const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** What the page shows of an OpenAPI document. */
const Document = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string().optional() }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
})

const Operation = z.object({
  operationId: z.string().optional(),
  summary: z.string().default(''),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  responses: z.record(z.string(), z.unknown()).default({}),
})

/** Where the documentation is not built: every operation of the document on one plain page. */
export function referencePage(openapi: unknown): string {
  const { info, paths } = Document.parse(openapi)
  const sections = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const parsed = Operation.safeParse(operation)
      return parsed.success ? [section(method, path, parsed.data)] : []
    }),
  )
  return page(
    `${info.title} ${info.version}`,
    `<p>${prose(info.description ?? '')}</p>
<p>The complete description for tools: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
${sections.join('\n')}
<h2 id="errors">Refusals</h2>
<ul>${problemCodes.map(problemLink).join('')}</ul>`,
  )
}

/** The page that the `type` of a problem document leads to. */
export function problemPage(code: ProblemCode): string {
  const { status, title } = problems[code]
  const { cause, remedy } = problemGuidance[code]
  return page(
    code,
    `<p>${escape(title)}. HTTP status ${status}.</p>
<p>${prose(cause)}</p>
<p>${prose(remedy)}</p>
<p>What happened and what to do is in the member <code>detail</code> of the answer (RFC 9457);
its <code>requestId</code> names the request to whoever runs the service.</p>
<p><a href="/docs#errors">All refusals</a></p>`,
  )
}

function problemLink(code: ProblemCode): string {
  const { status, title } = problems[code]
  return `<li><a href="${problemPath(code)}"><code>${code}</code></a> (${status}): ${escape(title)}</li>`
}

export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>
  :root { color-scheme: light dark }
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  code { font-size: .95em } h2 { font-size: 1.1rem; margin: 2rem 0 0 } p { margin: .3rem 0 }
</style>
<h1>${escape(title)}</h1>
${content}
</html>
`
}

function section(method: string, path: string, operation: z.infer<typeof Operation>): string {
  const statuses = Object.keys(operation.responses).sort().join(', ')
  return `<section id="${escape(operation.operationId ?? `${method}-${path}`)}">
<h2><code>${escape(method.toUpperCase())} ${escape(path)}</code></h2>
<p><strong>${escape(operation.summary)}</strong></p>
<p>${prose(operation.description)}</p>
<p>Answers: ${escape(statuses)}</p>
</section>`
}

/** The descriptions are CommonMark; of it they use code spans. */
function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
