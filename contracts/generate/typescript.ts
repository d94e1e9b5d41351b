import type { SchemaObject } from 'openapi3-ts/oas31'
import { isReference, type Schema, valuesOf } from './schema-components.ts'

/** A component as a declaration: an interface for an object, else a type. */
export function declaration(name: string, schema: Schema): string {
  const comment = docComment(schema, '')
  if (!isReference(schema) && schema.type === 'object' && schema.maxProperties !== 0) {
    return `${comment}export interface ${name} ${objectType(schema, '')}\n`
  }
  return `${comment}export type ${name} = ${typeOf(schema, '')}\n`
}

/**
 * A schema as a type.
 *
 * @param indent what stands before the line on which the type begins
 */
export function typeOf(schema: Schema, indent: string): string {
  if (isReference(schema)) return referencedName(schema.$ref)
  if (schema.const !== undefined) return literal(schema.const)
  const values = valuesOf(schema)
  if (values !== undefined) return values.map(literal).join(' | ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) {
    return alternatives.map((alternative) => typeOf(alternative, indent)).join(' | ')
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  return types.map((type) => primitive(type, schema, indent)).join(' | ')
}

/** A value as a literal type, texts in single quotes. */
export function literal(value: unknown): string {
  const json = JSON.stringify(value)
  if (typeof value !== 'string') return json
  return `'${json.slice(1, -1).replaceAll(`\\"`, '"').replaceAll("'", "\\'")}'`
}

/** `#/components/schemas/Batch` as `Batch`. */
export function referencedName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** The names of all components to which a part of the document refers. */
export function referencesIn(part: unknown): string[] {
  const found = JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  return [...new Set([...found].flatMap(([, name]) => (name === undefined ? [] : [name])))]
}

function primitive(type: SchemaObject['type'], schema: SchemaObject, indent: string): string {
  switch (type) {
    case 'string':
      // Bytes that have a pattern are text.
      return schema.format === 'binary' && schema.pattern === undefined ? 'Blob' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `Array<${schema.items === undefined ? 'unknown' : typeOf(schema.items, indent)}>`
    case 'object':
      return schema.maxProperties === 0 ? 'Record<string, never>' : objectType(schema, indent)
    default:
      throw new Error(`No TypeScript for ${JSON.stringify(schema)}`)
  }
}

function objectType(schema: SchemaObject, indent: string): string {
  const required = new Set(schema.required)
  const inner = `${indent}  `
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : literal(name)
    const optional = required.has(name) ? '' : '?'
    return `${docComment(field, inner)}${inner}${key}${optional}: ${typeOf(field, inner)}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

function docComment(schema: Schema, indent: string): string {
  const { description } = schema
  if (typeof description !== 'string') return ''
  return `${indent}/** ${description.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`
}
