import { callInCurl } from '@pdfnorm/contracts/call/call-in-curl'
import { callInPython } from '@pdfnorm/contracts/call/call-in-python'
import { callInTypescript } from '@pdfnorm/contracts/call/call-in-typescript'
import { isProblemCode, problemPath, problems } from '@pdfnorm/contracts/schema/problem'
import { choiceOf } from '../choice.ts'
import { codeBlock } from '../code.ts'
import { escapeHtml } from '../html.ts'
import { renderInline } from '../markdown.ts'
import type { Page } from '../page.ts'
import { exampleCall } from './example-call.ts'
import {
  isCallable,
  nameOf,
  openapi,
  type Operation,
  type Parameter,
  type Response,
} from './openapi-document.ts'
import { describe, schemaFields, schemaSummary } from './schema-fields.ts'

export function operationPath(operationId: string): string {
  return `/docs/reference/${operationId}`
}

/** All that the document says of one operation, with its call in three languages. */
export function operationPage(operation: Operation): Page {
  const parts = [
    { id: 'call', text: 'Call', html: calls(operation) },
    { id: 'parameters', text: 'Parameters', html: parameters(operation) },
    { id: 'body', text: 'Body', html: body(operation) },
    { id: 'answers', text: 'Answers', html: answers(operation) },
    { id: 'refusals', text: 'Refusals', html: refusals(operation) },
  ].filter(({ html }) => html !== '')
  const sections = parts.map(({ id, text, html }) => `<h2 id="${id}">${text}</h2>\n${html}`)
  return {
    path: operationPath(operation.operationId),
    title: operation.summary,
    description: `${operation.summary}. ${operation.description}`,
    html: `<p class="endpoint"><span class="method">${operation.method}</span> <code>${escapeHtml(operation.path)}</code></p>
<p>${renderInline(operation.description)}</p>
<p>${access(operation)}</p>
${sections.join('\n')}`,
    headings: parts.map(({ id, text }) => ({ level: 2, id, text })),
  }
}

function access({ operationId, security = [] }: Operation): string {
  const named = `In the OpenAPI document it is <code>${operationId}</code>.`
  const ways = security.flatMap((one) => Object.entries(one))
  if (ways.length === 0) return `Open to everybody. ${named}`
  const granted = ways.map(([scheme, [needed = '']]) => {
    switch (scheme) {
      case 'apiKey':
        return `an API key with the scope <code>${needed}</code>`
      case 'accessToken':
        return needed === 'member'
          ? 'the access token of a member'
          : `the access token of a member who is at least <code>${needed}</code>`
      case 'refreshToken':
        return 'the cookie that signing in has set'
      default:
        return 'the signature of the payment processor'
    }
  })
  return `Takes ${granted.join(', or ')}. ${named}`
}

function calls(operation: Operation): string {
  if (!isCallable(operation)) return ''
  const call = exampleCall(operation)
  return choiceOf([
    { name: 'curl', html: codeBlock(callInCurl(call), 'sh') },
    { name: 'TypeScript', html: codeBlock(callInTypescript(call), 'ts') },
    { name: 'Python', html: codeBlock(callInPython(call), 'py') },
  ])
}

function parameters({ parameters = [] }: Operation): string {
  if (parameters.length === 0) return ''
  return `<ul class="fields">${parameters.map(parameterItem).join('')}</ul>`
}

function parameterItem({ name, in: place, required, description, schema }: Parameter): string {
  const optional = required === true ? '' : ' <span class="optional">optional</span>'
  const shown = description === undefined ? schema : { ...schema, description }
  return `<li><code class="name">${escapeHtml(name)}</code> <span class="place">in the ${place}</span> ${schemaSummary(schema)}${optional}${describe(shown)}</li>`
}

function body({ requestBody }: Operation): string {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined || content === undefined) return ''
  const optional = requestBody?.required === true ? '' : ', and may be left out'
  return `<p>As <code>${type}</code>${optional}.</p>${schemaFields(content.schema)}`
}

function answers({ responses }: Operation): string {
  return responses
    .filter(({ status }) => !/^[45]/.test(status) || status === '503')
    .filter((response) => response['x-problem-codes'] === undefined)
    .map(answer)
    .join('\n')
}

function answer(response: Operation['responses'][number]): string {
  const { status, description, content = {} } = response
  const [type, described] = Object.entries(content)[0] ?? []
  const fields = described === undefined ? '' : schemaFields(described.schema)
  return `<h3 id="answer-${status.toLowerCase()}">${status} ${renderInline(description)}</h3>
${type === undefined ? '' : `<p>As <code>${type}</code>.</p>`}
${example(type, described?.example)}
${fields === '' ? '' : `<details><summary>Fields</summary>${fields}</details>`}
${headers(response)}`
}

function example(type: string | undefined, value: unknown): string {
  if (type === undefined || value === undefined) return ''
  if (typeof value !== 'string') return codeBlock(JSON.stringify(value, null, 2), 'json')
  return codeBlock(value, 'text')
}

function headers({ headers = {} }: Response): string {
  const items = Object.entries(headers).map(([name, { $ref }]) => {
    const described = openapi.components.headers[nameOf($ref)]
    return `<li><code class="name">${name}</code> ${renderInline(described?.description ?? '')}</li>`
  })
  if (items.length === 0) return ''
  return `<details><summary>Headers</summary><ul class="fields">${items.join('')}</ul></details>`
}

function refusals({ responses }: Operation): string {
  const codes = responses.flatMap((response) => response['x-problem-codes'] ?? [])
  if (codes.length === 0) return ''
  const items = codes.filter(isProblemCode).map((code) => {
    const { status, title } = problems[code]
    return `<li>${status} <a href="${problemPath(code)}"><code>${code}</code></a> ${escapeHtml(title)}.</li>`
  })
  return `<ul>${items.join('')}</ul>`
}
