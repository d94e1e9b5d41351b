import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas31'
import { z } from 'zod'

export type Schema = SchemaObject | ReferenceObject

const definitions = '#/$defs/'
const components = '#/components/schemas/'

/** Formats that say all that zod's patterns for them say. */
const patternsSaidByFormat = new Set(['date-time', 'uuid', 'email', 'uri'])

/** The named schemas of the document. A schema with an id becomes a component, wherever it is met first. */
export class SchemaComponents {
  readonly #named = new Map<string, Schema>()
  /** Each as it was met, as JSON: a field that was added since makes no other shape of it. */
  readonly #met = new Map<string, string>()

  /**
   * A schema as a request has it (`input`: what has a default may be left out) or as an answer has it.
   *
   * @throws {Error} when two schemas have one id but not one shape, or one has two shapes
   */
  add(schema: z.ZodType, io: 'input' | 'output'): Schema {
    const { $schema: _, $defs, ...root } = z.toJSONSchema(schema, { io, override: simplify })
    for (const [id, definition] of Object.entries($defs ?? {})) this.#name(id, asSchema(definition))
    return asSchema(root)
  }

  /** Gives an object among the components one more required field, as its first; once. */
  addField(reference: Schema, name: string, field: SchemaObject): void {
    const object = this.resolve(reference)
    if (object.properties?.[name] !== undefined) return
    object.properties = { [name]: field, ...object.properties }
    object.required = [name, ...(object.required ?? [])]
  }

  /** All of them, by name; afterwards none may be added. */
  sorted(): Record<string, Schema> {
    const merged = [...this.#named.values()].flatMap((schema) => this.#mergeEmpty(schema))
    for (const { $ref } of merged) this.#named.delete($ref.slice(components.length))
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** The schema behind a reference to a component; any other schema is itself. */
  resolve(schema: Schema): SchemaObject {
    if (!isReference(schema)) return schema
    const named = this.#named.get(schema.$ref.slice(components.length))
    if (named === undefined) throw new Error(`No component ${schema.$ref}`)
    return this.resolve(named)
  }

  /**
   * Makes `anyOf: [object, {}]` of a field that object with optional fields: clients then have one type to read
   * fields of, in place of a union to take apart. Gives the empty ones.
   */
  #mergeEmpty(schema: Schema): ReferenceObject[] {
    const { properties = {} } = this.resolve(schema)
    return Object.entries(properties).flatMap(([name, property]) => {
      if (isReference(property)) return []
      const [full, empty, ...others] = property.anyOf ?? []
      if (full === undefined || empty === undefined || others.length > 0) return []
      if (!isReference(full) || !isReference(empty)) return []
      if (this.resolve(empty).maxProperties !== 0) return []
      delete this.resolve(full).required
      properties[name] = full
      return [empty]
    })
  }

  #name(id: string, definition: Schema): void {
    const met = JSON.stringify(definition)
    const known = this.#met.get(id) ?? met
    if (known !== met) throw new Error(`Two schemas are named ${id}: ${known}, ${met}`)
    if (this.#met.has(id)) return
    this.#met.set(id, met)
    this.#named.set(id, definition)
  }
}

/** Whether a schema is one that is named elsewhere. */
export function isReference(schema: Schema): schema is ReferenceObject {
  return '$ref' in schema
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>

/**
 * What zod says and the document does not: that an answer has no further fields (a later version may add some),
 * the range of JavaScript's integers, and patterns that repeat a format.
 */
const simplify: Override = ({ zodSchema, jsonSchema }) => {
  // zod leaves out the default of a value that it transforms, as a boolean out of a form.
  if (zodSchema instanceof z.ZodDefault) jsonSchema.default ??= zodSchema.def.defaultValue
  if (jsonSchema['extensible'] === true) openList(jsonSchema)
  if (jsonSchema.maxProperties !== 0) delete jsonSchema.additionalProperties
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.type === 'integer') jsonSchema.format = 'int64'
  if (patternsSaidByFormat.has(jsonSchema.format ?? '')) delete jsonSchema.pattern
  if (jsonSchema.anyOf?.length === 2) mergeNull(jsonSchema)
}

/**
 * A list that may grow is told by `x-extensible-enum`: clients generated with an `enum` would refuse the whole
 * answer of a newer service for one value that they do not know.
 */
function openList(schema: z.core.JSONSchema.BaseSchema): void {
  schema['x-extensible-enum'] = schema.enum
  delete schema.enum
  delete schema['extensible']
}

/** The values that a schema names: all that there are, or all that there are so far. */
export function valuesOf(schema: SchemaObject): unknown[] | undefined {
  const open: unknown = schema['x-extensible-enum']
  return Array.isArray(open) ? open : schema.enum
}

/** `anyOf: [{ type: T, … }, { type: 'null' }]` as `type: [T, 'null'], …`. */
function mergeNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [value, nothing] = schema.anyOf ?? []
  if (value === undefined || nothing?.type !== 'null' || typeof value.type !== 'string') return
  if (value.enum !== undefined) return
  const { anyOf: _, ...own } = schema
  const merged = { ...value, ...own, type: [value.type, 'null'] }
  delete schema.anyOf
  Object.assign(schema, merged)
}

/** References of zod lead to `$defs`, those of the document to its components. */
function asSchema(schema: unknown): Schema {
  const text = JSON.stringify(schema).replaceAll(`"${definitions}`, `"${components}`)
  const parsed: Schema = JSON.parse(text)
  return parsed
}
