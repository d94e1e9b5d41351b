import { escapeHtml } from '../html.ts'
import { renderInline } from '../markdown.ts'
import { nameOf, resolved, type Schema, valuesOf } from './openapi-document.ts'

/** More levels than any schema of the document has: what is deeper was not meant to be read as a list. */
const deepest = 8

/** The fields of a schema as a list, those of a field within it folded away. */
export function schemaFields(schema: Schema, depth = 0): string {
  const inner = resolved(elementOf(schema))
  const fields = Object.entries(inner.properties ?? {})
  if (fields.length === 0 || depth > deepest) return ''
  const required = new Set(inner.required)
  const items = fields.map(([name, field]) => fieldItem(name, field, required.has(name), depth))
  return `<ul class="fields">${items.join('')}</ul>`
}

function fieldItem(name: string, field: Schema, isRequired: boolean, depth: number): string {
  const inner = schemaFields(field, depth + 1)
  const nested =
    inner === ''
      ? ''
      : `<details><summary>Fields of <code>${escapeHtml(name)}</code></summary>${inner}</details>`
  return `<li><code class="name">${escapeHtml(name)}</code> ${schemaSummary(field)}${isRequired ? '' : ' <span class="optional">optional</span>'}${describe(field)}${nested}</li>`
}

/** The type of a schema with its limits, as a reader says it. */
export function schemaSummary(schema: Schema): string {
  const limits = limitsOf(schema)
  return `<span class="type">${typeOf(schema)}</span>${limits === '' ? '' : ` <span class="limits">${limits}</span>`}`
}

/** What a schema is, and the values that it may have. */
export function describe(schema: Schema): string {
  const { description, ...whole } = resolved(schema)
  const values = valuesOf(resolved(elementOf(whole)))
  const words = [
    ...(description === undefined ? [] : [renderInline(description)]),
    ...(values === undefined ? [] : [valueList(values)]),
    ...(whole.default === undefined ? [] : [`Default: ${code(whole.default)}.`]),
  ]
  return words.length === 0 ? '' : `<p>${words.join(' ')}</p>`
}

function valueList(values: readonly unknown[]): string {
  return `One of ${values.map(code).join(', ')}.`
}

function code(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `<code>${escapeHtml(text)}</code>`
}

/** What an array or a nullable schema is of. */
function elementOf(schema: Schema): Schema {
  const whole = resolved(schema)
  if (whole.items !== undefined) return elementOf(whole.items)
  const [first, second] = (whole.anyOf ?? []).filter(({ type }) => type !== 'null')
  return first !== undefined && second === undefined ? elementOf(first) : schema
}

function typeOf(schema: Schema): string {
  const { type, items, anyOf, oneOf, const: only, format } = resolved(schema)
  if (only !== undefined) return code(only)
  if (items !== undefined) return `array of ${typeOf(items)}`
  const alternatives = anyOf ?? oneOf
  if (alternatives !== undefined) return alternatives.map(typeOf).join(' or ')
  const types = typeof type === 'string' ? [type] : (type ?? ['any'])
  if (types.includes('object') && schema.$ref !== undefined) return nameOf(schema.$ref)
  const word = formats[format ?? '']
  return types.map((one) => (one === 'null' ? one : (word ?? one))).join(' or ')
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'date and time',
  uri: 'URL',
  email: 'e-mail address',
  binary: 'file',
}

function limitsOf(schema: Schema): string {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, minItems, maxItems } =
    resolved(schema)
  const range = (unit: string, least?: number, most?: number) => {
    if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`
    if (most !== undefined) return `at most ${most}${unit}`
    return least === undefined ? '' : `at least ${least}${unit}`
  }
  const isWideOpen = maximum !== undefined && maximum > 2_000_000_000
  return [
    range('', minimum, isWideOpen ? undefined : maximum),
    exclusiveMinimum === undefined ? '' : `more than ${exclusiveMinimum}`,
    range(' characters', minLength, maxLength),
    range(' entries', minItems, maxItems),
  ]
    .filter((text) => text !== '')
    .join(', ')
}
