import type {
  HeadersObject,
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
  ResponsesObject,
  SchemaObject,
  SecurityRequirementObject,
} from 'openapi3-ts/oas31'
import type { Body, Endpoint, Response } from '../src/endpoint/endpoint-list.ts'
import type { EndpointAccess } from '../src/endpoint/endpoint-metadata.ts'
import {
  headersOfCountedEndpoints,
  headersOfEveryAnswer,
  headersOfRefusals,
  type ResponseHeaderName,
} from '../src/endpoint/response-headers.ts'
import { isProblemCode, type ProblemCode, problems } from '../src/schema/problem.ts'
import { z } from 'zod'
import { exampleOf } from './example.ts'
import type { Schema, SchemaComponents } from './schema-components.ts'

const statusPhrases: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; it goes on in the background.',
  206: 'The part that was asked for.',
  302: 'Found elsewhere.',
  304: 'The copy at hand is this one.',
  503: 'Not ready.',
}

/** One endpoint as the document describes it. */
export function describeOperation(
  endpoint: Endpoint,
  components: SchemaComponents,
): OperationObject {
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.group],
    summary: endpoint.summary,
    description: endpoint.description,
    security: securityOf(endpoint.metadata),
    parameters: parametersOf(endpoint, components),
    ...(endpoint.request === null ? {} : { requestBody: requestBody(endpoint, components) }),
    responses: responsesOf(endpoint, components),
  }
}

/** The alternatives that grant access; a scope or a role stands where OpenAPI has role names. */
function securityOf(access: EndpointAccess): SecurityRequirementObject[] {
  if (access.auth === 'api-key') return access.scopes.map((scope) => ({ apiKey: [scope] }))
  if (access.auth === 'bearer') return [{ accessToken: [access.role] }]
  if (access.auth === 'stripe-signature') return [{ stripeSignature: [] }]
  return access.cookie === undefined ? [] : [{ refreshToken: [] }]
}

function parametersOf(endpoint: Endpoint, components: SchemaComponents): ParameterObject[] {
  const parameter = (
    place: 'path' | 'query' | 'header',
    name: string,
    schema: z.ZodType,
  ): ParameterObject => {
    const { description, ...described } = describedSchema(components.add(schema, 'input'))
    return {
      name,
      in: place,
      ...(place === 'path' ? { required: true } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      schema: described,
    }
  }
  return [
    ...Object.entries(endpoint.pathParams).map(([name, schema]) => parameter('path', name, schema)),
    ...Object.entries(endpoint.query).map(([name, schema]) => parameter('query', name, schema)),
    ...Object.entries(endpoint.headers)
      .filter(([name]) => !aliases.has(name))
      .map(([name, schema]) => parameter('header', headerCase(name), schema)),
  ]
}

/**
 * The field that this header repeats is in the document; beside it the header would be a second argument of the
 * same name in every generated client.
 */
const aliases = new Set(['idempotency-key'])

function describedSchema(schema: Schema): Schema & { description?: unknown } {
  return schema
}

/** `idempotency-key` as `Idempotency-Key`. */
function headerCase(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

function requestBody(endpoint: Endpoint, components: SchemaComponents): RequestBodyObject {
  const { request, metadata } = endpoint
  if (request === null) throw new Error(`${endpoint.operationId} has no body`)
  if (metadata.upload !== undefined && request.schema !== null) {
    return multipartBody(metadata.upload, components.add(request.schema, 'input'), components)
  }
  const schema: Schema =
    request.schema === null ? { type: 'object' } : components.add(request.schema, 'input')
  return {
    required: !(request.schema?.safeParse({}).success ?? false),
    content: {
      [request.contentType]: {
        schema: withoutExamples(schema),
        example: request.schema === null ? {} : exampleOf(schema, components),
      },
    },
  }
}

/** The text fields and the file part in one form. */
function multipartBody(
  upload: { field: string; contentType: string },
  form: Schema,
  components: SchemaComponents,
): RequestBodyObject {
  components.addField(form, upload.field, {
    type: 'string',
    format: 'binary',
    contentMediaType: upload.contentType,
    description: 'The PDF.',
  })
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: form,
        encoding: { [upload.field]: { contentType: upload.contentType } },
        example: { [upload.field]: '%PDF-1.7 …', linearize: true, signed_pdf_policy: 'reject' },
      },
    },
  }
}

function responsesOf(endpoint: Endpoint, components: SchemaComponents): ResponsesObject {
  const responses: ResponsesObject = {}
  for (const response of endpoint.responses) {
    responses[String(response.status)] = describeResponse(endpoint, response, components)
  }
  const { redirectsTo } = endpoint.metadata
  if (redirectsTo === undefined) return responses
  responses['2XX'] = {
    description: `What the address in \`Location\` answers. ${redirectsTo.description}`,
    content: { [redirectsTo.contentType]: { schema: { type: 'string', format: 'binary' } } },
  }
  return responses
}

function describeResponse(
  endpoint: Endpoint,
  { status, body }: Response,
  components: SchemaComponents,
): ResponseObject {
  const codes = refusedCodes(body)
  const own = endpoint.metadata.responseHeaders?.[status] ?? []
  const counted = endpoint.metadata.rateLimit === null ? [] : headersOfCountedEndpoints
  const headers = headersObject([
    ...own,
    ...codes.flatMap((code) => headersOfRefusals[code] ?? []),
    ...counted,
    ...headersOfEveryAnswer,
  ])
  if (codes.length > 0) return refusal(codes, headers)

  const description = statusPhrases[status]
  if (description === undefined) throw new Error(`No words for the status ${status}`)
  if (body === null) return { description, headers }
  return { description, headers, content: { [body.contentType]: answer(body, components) } }
}

/** The codes of a refusal; none for any other answer. */
function refusedCodes(body: Body | null): ProblemCode[] {
  if (!(body?.schema instanceof z.ZodObject)) return []
  const code: unknown = body.schema.shape['code']
  if (!(code instanceof z.ZodLiteral)) return []
  return [...code.values].filter((value) => typeof value === 'string').filter(isProblemCode)
}

function headersObject(names: readonly ResponseHeaderName[]): HeadersObject {
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
}

/**
 * A refusal is a Problem whose `code` is one of these; each code is an example. `x-problem-codes` says it to
 * generators, because a schema of its own for every combination would be a type of its own in every client.
 */
function refusal(codes: readonly ProblemCode[], headers: HeadersObject): ResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    headers,
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
    'x-problem-codes': codes,
  }
}

/** The codes of a described refusal; none for any other answer. */
export function problemCodesOf(response: ResponseObject): string[] {
  const codes: unknown = response['x-problem-codes']
  return Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : []
}

function answer(body: Body, components: SchemaComponents): MediaTypeObject {
  if (body.schema === null) {
    return { schema: { type: 'string', format: 'binary' }, example: '%PDF-1.7 …' }
  }
  const schema = components.add(body.schema, 'output')
  const described = { schema: withoutExamples(schema), example: exampleOf(schema, components) }
  if (isPlainBytes(body.contentType, components.resolve(schema))) {
    components.resolve(described.schema).format = 'binary'
  }
  return described
}

/** Text that is neither JSON nor shown as text: without a word generated clients try to parse it as JSON. */
function isPlainBytes(contentType: string, { type }: SchemaObject): boolean {
  return type === 'string' && contentType !== 'application/json' && !contentType.startsWith('text/')
}

/** The example of a body stands beside its schema. */
function withoutExamples(schema: Schema): Schema {
  const { examples: _, ...rest } = { examples: undefined, ...schema }
  return rest
}
