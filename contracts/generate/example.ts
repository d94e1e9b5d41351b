import type { SchemaObject } from 'openapi3-ts/oas31'
import { type Schema, type SchemaComponents, valuesOf } from './schema-components.ts'

/**
 * An example of a schema: its own first one, else one made of the examples of its parts. Optional fields are
 * shown only where the schema gives an example of its own.
 *
 * @throws {Error} when a part has neither an example nor a form from which one follows
 */
export function exampleOf(schema: Schema, components: SchemaComponents): unknown {
  if ('examples' in schema && Array.isArray(schema.examples)) return schema.examples[0]
  const resolved = components.resolve(schema)
  if (resolved.examples !== undefined) return resolved.examples[0]
  if (resolved.default !== undefined) return resolved.default
  if (resolved.const !== undefined) return resolved.const
  const [first] = valuesOf(resolved) ?? []
  if (first !== undefined) return first

  const [alternative] = resolved.anyOf ?? resolved.oneOf ?? []
  if (alternative !== undefined) return exampleOf(alternative, components)
  return exampleOfType(resolved, components)
}

function exampleOfType(schema: SchemaObject, components: SchemaComponents): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return exampleOfObject(schema, components)
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, components)]
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? schema.exclusiveMinimum ?? 0
    case 'string':
      return exampleOfText(schema)
    default:
      throw new Error(`No example of ${JSON.stringify(schema)}`)
  }
}

function exampleOfObject(schema: SchemaObject, components: SchemaComponents): unknown {
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, components)]))
}

function exampleOfText(schema: SchemaObject): string {
  if (schema.pattern !== undefined) throw new Error(`No example of ${schema.pattern}`)
  switch (schema.format) {
    case 'uri':
      return 'https://pdfnorm.example/'
    case undefined:
      return 'text'
    default:
      throw new Error(`No example of the format ${schema.format}`)
  }
}
