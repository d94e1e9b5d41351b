import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { OpenAPIObject, OperationObject } from 'openapi3-ts/oas31'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { generatedFiles, root } from '../generate/generated-files.ts'
import { openapiDocument } from '../generate/openapi.ts'
import { documentedEndpoints } from '../src/endpoint/endpoint-list.ts'
import { Problem, problemCodes } from '../src/schema/problem.ts'

const document: OpenAPIObject = JSON.parse(openapiDocument())
const operations = operationsOf(document)

test.each([...generatedFiles()].map(([path, content]) => [relative(root, path), path, content]))(
  '%s is what the contracts generate',
  async (_name, path, content) => {
    expect(await readFile(path, 'utf8')).toBe(content)
  },
)

test('the document is the same at every run', () => {
  expect(openapiDocument()).toBe(JSON.stringify(document, undefined, 2) + '\n')
})

test('the document is valid by the schema of OpenAPI 3.1', async () => {
  const result = await new Validator().validate({ ...document })
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test("Redocly's recommended rules find nothing, not even to warn of", async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const source = openapiDocument()
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})

test('every reference leads somewhere', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"(#[^"]*)"/g)
  const dangling = [...references].filter(([, pointer]) => at(pointer ?? '') === undefined)
  expect(dangling).toEqual([])
})

test('every schema says what it is', () => {
  const silent = Object.entries(document.components?.schemas ?? {}).filter(
    ([, schema]) => !('description' in schema),
  )
  expect(silent.map(([name]) => name)).toEqual([])
})

test('every component is used', () => {
  const text = JSON.stringify(document)
  const unused = Object.entries(document.components ?? {}).flatMap(([kind, components]) =>
    kind === 'securitySchemes'
      ? []
      : Object.keys(components)
          .map((name) => `#/components/${kind}/${name}`)
          .filter((reference) => !text.includes(`"${reference}"`)),
  )
  expect(unused).toEqual([])
})

describe.each(operations)('$operation.operationId', ({ operation }) => {
  test('states its security, its words and its refusals', () => {
    expect(operation.security).toBeDefined()
    expect(operation.summary).toBeTruthy()
    expect(operation.description).toBeTruthy()
    const statuses = Object.keys(operation.responses ?? {})
    expect(statuses.some((status) => /^4\d\d$/.test(status))).toBe(true)
    expect(statuses).toContain('500')
  })

  test('has an example of every body', () => {
    const bodies = [
      ...('content' in (operation.requestBody ?? {}) ? [operation.requestBody] : []),
      ...Object.entries(operation.responses ?? {})
        .filter(([status]) => status !== '2XX')
        .map(([, response]) => resolve(response)),
    ]
    for (const body of bodies) {
      for (const media of Object.values(contentOf(body))) {
        expect('example' in media || 'examples' in media).toBe(true)
      }
    }
  })
})

test.each(documentedEndpoints())(
  'the examples of $operationId are what its schemas accept',
  (endpoint) => {
    const operation = operations.find(
      (candidate) => candidate.operation.operationId === endpoint.operationId,
    )?.operation
    const shown = [
      // The file of an upload is no field of its schema.
      ...(endpoint.metadata.upload === undefined && endpoint.request?.schema
        ? [{ schema: endpoint.request.schema, part: operation?.requestBody }]
        : []),
      ...endpoint.responses.flatMap(({ status, body }) =>
        status < 400 && body?.schema
          ? [{ schema: body.schema, part: resolve(operation?.responses?.[String(status)]) }]
          : [],
      ),
    ]
    for (const { schema, part } of shown) {
      const [media] = Object.values(contentOf(part))
      expect(strict(schema).safeParse(media?.['example'])).toMatchObject({ success: true })
    }
  },
)

test('every refusal that an operation gives has its example, a problem document', () => {
  const examples = document.components?.examples ?? {}
  for (const [code, example] of Object.entries(examples)) {
    expect(problemCodes).toContain(code)
    expect(Problem.parse('value' in example ? example.value : null)).toMatchObject({ code })
  }
})

test('no schema has the name that generators give to the answer of an operation', () => {
  const answers = new Set(
    operations.map(({ operation }) => `${operation.operationId}Response`.toLowerCase()),
  )
  const schemas = Object.keys(document.components?.schemas ?? {})
  expect(schemas.filter((name) => answers.has(name.toLowerCase()))).toEqual([])
})

test('an answer may get further fields in a later version', () => {
  const schemas = document.components?.schemas ?? {}
  const closed = Object.entries(schemas).filter(([, schema]) =>
    JSON.stringify(schema).includes('"additionalProperties":false'),
  )
  expect(closed.map(([name]) => name)).toEqual([])
})

test('the events of the interface and the additive ones are described', () => {
  expect(Object.keys(document.webhooks ?? {})).toEqual([
    'normalization.success',
    'normalization.failure',
    'normalization.rejected',
    'batch.complete',
    'webhook.test',
  ])
})

test('the upload is one binary part beside the text fields of the interface', () => {
  const form = document.components?.schemas?.['NormalizeRequest']
  expect(form).toMatchObject({
    type: 'object',
    required: ['file'],
    properties: {
      file: { type: 'string', format: 'binary' },
      linearize: { type: 'boolean', default: true },
      remove_annotations: { type: 'boolean', default: false },
      signed_pdf_policy: { default: 'reject' },
      pdfa_policy: { default: 'preserve' },
      idempotency_key: { maxLength: 255 },
    },
  })
  expect(Object.keys(Object(form).properties)).toEqual([
    'file',
    'linearize',
    'remove_annotations',
    'signed_pdf_policy',
    'pdfa_policy',
    'region',
    'webhook_url',
    'idempotency_key',
    'batch_id',
  ])
})

function operationsOf({ paths = {} }: OpenAPIObject): { operation: OperationObject }[] {
  return Object.values(paths).flatMap((item) =>
    [item.get, item.post, item.put, item.delete].flatMap((operation) =>
      operation === undefined ? [] : [{ operation }],
    ),
  )
}

function at(pointer: string): unknown {
  const keys = pointer
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce<unknown>((value, key) => Object(value)[key], document)
}

function resolve(part: unknown): unknown {
  const reference: unknown = Object(part).$ref
  return typeof reference === 'string' ? at(reference) : part
}

function contentOf(part: unknown): Record<string, Record<string, unknown>> {
  return Object(part).content ?? {}
}

/** A schema whose object takes no field that it does not name, so that an example has none. */
function strict(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? schema.strict() : schema
}
