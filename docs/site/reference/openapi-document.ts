import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { docsFolder } from '../source-pages.ts'

/** What the site reads of a schema; JSON Schema 2020-12. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly 'x-extensible-enum'?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Reference {
  readonly $ref: string
}

export interface Content {
  readonly schema: Schema
  readonly example?: unknown
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Readonly<Record<string, Content>>
  readonly 'x-problem-codes'?: readonly string[]
}

interface DescribedOperation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, Content>>
  }
  readonly responses: Readonly<Record<string, Response | Reference>>
}

interface Document {
  readonly info: { readonly description: string; readonly version: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: DescribedOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly headers: Readonly<Record<string, { readonly description: string }>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  }
}

/** An operation with everything that the document says elsewhere in its place. */
export interface Operation extends Omit<DescribedOperation, 'responses'> {
  readonly method: string
  readonly path: string
  readonly responses: readonly (Response & { readonly status: string })[]
}

/** The document as `npm run generate` has written it: the truth of the reference. */
export const openapi: Document = JSON.parse(readFileSync(join(docsFolder, 'openapi.json'), 'utf8'))

export function documentedOperations(): Operation[] {
  return Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      responses: responsesOf(operation),
    })),
  )
}

/** Those that somebody calls: events of the payment processor are signed and sent by it alone. */
export function isCallable({ security = [] }: Operation): boolean {
  return !security.some((alternative) => 'stripeSignature' in alternative)
}

function responsesOf({ responses }: DescribedOperation): Operation['responses'] {
  return Object.entries(responses).map(([status, response]) => ({
    status,
    ...('$ref' in response ? namedIn(openapi.components.responses, response.$ref) : response),
  }))
}

/** The schema behind a reference; what stands beside the reference goes before what it leads to. */
export function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const { $ref, ...beside } = schema
  return { ...resolved(namedIn(openapi.components.schemas, $ref)), ...beside }
}

/** The name of the component that a reference leads to. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function namedIn<Thing>(things: Readonly<Record<string, Thing>>, reference: string): Thing {
  const thing = things[nameOf(reference)]
  if (thing === undefined) throw new Error(`Nothing is named ${reference}`)
  return thing
}

/** The values that a schema names: all that there are, or all that there are so far. */
export function valuesOf(schema: Schema): readonly unknown[] | undefined {
  return schema['x-extensible-enum'] ?? schema.enum
}
