import { type Operation, type Parameter, resolved, valuesOf } from './openapi-document.ts'

/** One call of an operation with example values, before it is written in a language. */
export interface Call {
  readonly operationId: string
  readonly method: string
  /** Path and query with example values. */
  readonly target: string
  /** The example of each path parameter, in the order of the path. */
  readonly pathValues: readonly string[]
  readonly query: readonly (readonly [name: string, value: unknown])[]
  readonly credentials: 'api-key' | 'access-token' | 'refresh-cookie' | null
  readonly body: { kind: 'json'; value: unknown } | { kind: 'form'; fields: Form } | null
  readonly answer: 'json' | 'text' | { readonly fileName: string }
}

/** The text fields of a form; beside them stands the file. */
type Form = readonly (readonly [name: string, value: string])[]

/** The call of an operation as its examples in the document have it. */
export function exampleCall(operation: Operation): Call {
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
  const pathValues = inPath.map((parameter) => String(exampleOf(parameter)))
  const path = inPath.reduce(
    (path, { name }, at) => path.replace(`{${name}}`, pathValues[at] ?? ''),
    operation.path,
  )
  const query = queryOf(operation)
  return {
    operationId: operation.operationId,
    method: operation.method,
    target: path + queryText(query),
    pathValues,
    query,
    credentials: credentialsOf(operation),
    body: bodyOf(operation),
    answer: answerOf(operation),
  }
}

function queryOf({ parameters = [] }: Operation): Call['query'] {
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => [parameter.name, exampleOf(parameter)] as const)
}

function queryText(query: Call['query']): string {
  const pairs = query.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function exampleOf({ name, schema }: Parameter): unknown {
  const { examples = [], default: standard, ...rest } = resolved(schema)
  const example = examples[0] ?? standard ?? valuesOf(rest)?.[0]
  if (example === undefined) throw new Error(`No example of the parameter ${name}`)
  return example
}

function credentialsOf({ security = [] }: Operation): Call['credentials'] {
  const schemes = new Set(security.flatMap((alternative) => Object.keys(alternative)))
  if (schemes.has('apiKey')) return 'api-key'
  if (schemes.has('accessToken')) return 'access-token'
  return schemes.has('refreshToken') ? 'refresh-cookie' : null
}

function bodyOf({ requestBody }: Operation): Call['body'] {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (content === undefined) return null
  if (type !== 'multipart/form-data') return { kind: 'json', value: content.example }
  const fields = Object.entries(content.example ?? {}).filter(([name]) => name !== 'file')
  return { kind: 'form', fields: fields.map(([name, value]) => [name, String(value)] as const) }
}

function answerOf({ responses }: Operation): Call['answer'] {
  const good = responses.filter(({ status }) => status.startsWith('2'))
  const [type = 'application/json'] = good.flatMap(({ content = {} }) => Object.keys(content))
  if (type === 'application/json' || type === 'application/ld+json') return 'json'
  if (type === 'application/pdf') return { fileName: 'out.pdf' }
  return type === 'application/zip' ? { fileName: 'export.zip' } : 'text'
}
