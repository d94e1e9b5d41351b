import {
  type Answer,
  answerOfType,
  type Call,
  encoded,
  queryText,
} from '@pdfnorm/contracts/call/call'
import { type Operation, type Parameter, resolved, valuesOf } from './openapi-document.ts'

/** The call of an operation as its examples in the document have it. */
export function exampleCall(operation: Operation): Call {
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
  const pathValues = inPath.map((parameter) => String(exampleOf(parameter)))
  const path = inPath.reduce(
    (path, { name }, at) => path.replace(`{${name}}`, encoded(pathValues[at])),
    operation.path,
  )
  const query = queryOf(operation)
  return {
    operationId: operation.operationId,
    method: operation.method,
    baseUrl: null,
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

function answerOf({ responses }: Operation): Answer {
  const good = responses.filter(({ status }) => status.startsWith('2'))
  const [type = 'application/json'] = good.flatMap(({ content = {} }) => Object.keys(content))
  return answerOfType(type)
}
