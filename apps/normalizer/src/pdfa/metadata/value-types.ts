import { isXmpDate } from './xmp-date.ts'
import type { ArrayForm, XmpNode } from './xmp-node.ts'
import { type Structures, structures2004, structures2005 } from './structures.ts'

/** The edition of the XMP Specification that a part of ISO 19005 refers to. */
export type Edition = 2004 | 2005

/** The types that values may have: those of an edition, and those that an extension schema describes in their place. */
export class ValueTypes {
  readonly #builtIn: ReadonlyMap<string, ValueType>
  readonly #own: ReadonlyMap<string, ValueType>
  /** By expression: of the predefined schemas there are few, and those of a file are kept as long as the file. */
  readonly #parsed = new Map<string, ParsedType>()

  constructor(edition: Edition, own: ReadonlyMap<string, ValueType> = new Map()) {
    this.#builtIn = builtInTypes[edition]
    this.#own = own
  }

  isDefined(expression: string): boolean {
    return this.#find(this.#parse(expression).base) !== undefined
  }

  /** Whether a value is of a type such as `Text`, `bag ProperName` or `closed Choice of seq Integer`. */
  matches(node: XmpNode, expression: string): boolean {
    const { forms, base } = this.#parse(expression)
    let nodes: readonly XmpNode[] = [node]
    for (const form of forms) {
      const items: XmpNode[] = []
      for (const { value } of nodes) {
        if (value.kind !== 'array' || value.form !== form) return false
        for (const item of value.items) items.push(item)
      }
      nodes = items
    }
    const type = this.#find(base)
    return type !== undefined && nodes.every((one) => this.#isOf(one, type))
  }

  #parse(expression: string): ParsedType {
    const known = this.#parsed.get(expression)
    if (known !== undefined) return known
    const parsed = parseType(expression)
    this.#parsed.set(expression, parsed)
    return parsed
  }

  #find(base: string): ValueType | undefined {
    return this.#own.get(base) ?? this.#builtIn.get(base)
  }

  /** Depth is that of the value, which the XML reader bounds. */
  #isOf(node: XmpNode, type: ValueType): boolean {
    const { value } = node
    if (type === 'language alternative') {
      if (value.kind !== 'array' || value.form !== 'Alt') return false
      return value.items.length === 0 || value.items.some(({ language }) => language !== null)
    }
    if (typeof type === 'function') return value.kind === 'simple' && type(value.text)
    if (value.kind !== 'structure') return false
    return value.fields.every((field) => {
      if (field.namespace !== type.namespace) return false
      const expression = type.fields.get(field.name)
      if (expression === undefined) return false
      return expression === null || this.matches(field, expression)
    })
  }
}

export type ValueType = SimpleType | StructureType | 'language alternative'

/** Whether the text of a simple value is one of the type. */
type SimpleType = (text: string) => boolean

export interface StructureType {
  readonly namespace: string
  /** The types of the fields; null for any. */
  readonly fields: ReadonlyMap<string, string | null>
}

interface ParsedType {
  readonly forms: readonly ArrayForm[]
  readonly base: string
}

/**
 * A type as schemas spell it: `bag`, `seq` and `alt` before the type of the items, an open or closed choice of the type
 * that its values have, in any case. A type that is left out is Text.
 */
export function parseType(expression: string): ParsedType {
  const forms: ArrayForm[] = []
  let rest = typeName(expression)
  for (;;) {
    const [prefix, word] = /^(bag|seq|alt)(?: |$)/.exec(rest) ?? []
    if (prefix === undefined) return { forms, base: rest === '' ? 'text' : rest }
    forms.push(word === 'bag' ? 'Bag' : word === 'seq' ? 'Seq' : 'Alt')
    rest = rest.slice(prefix.length)
  }
}

/** The name of a type as it is compared: without its case and without what makes it a choice. */
function typeName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/(?:open |closed )?(?:choice |choice$)(?:of )?/g, '')
    .trim()
}

const anyText: SimpleType = () => true

/** Types of one word each, which ISO 19005 takes at their word: that a URI is one, a choice is of its list is not asked. */
const textTypes = ['text', 'propername', 'agentname', 'locale', 'url', 'uri', 'xpath', 'rational']

const simpleTypes: readonly (readonly [string, ValueType])[] = [
  ...textTypes.map((name) => [name, anyText] as const),
  ['renditionclass', anyText],
  ['boolean', pattern(/^(?:True|False)$/)],
  ['integer', pattern(/^[+-]?\d+$/)],
  ['real', pattern(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/)],
  ['date', isXmpDate],
  ['mimetype', pattern(/^[-+.\w]+\/[-+.\w]+$/)],
  ['lang alt', 'language alternative'],
]

/** `DDD,MM,SSk` or `DDD,MM.mmk`; the earlier edition has two digits for each. */
const gpsCoordinates: Readonly<Record<Edition, SimpleType>> = {
  2004: pattern(/^\d\d,\d\d[,.]\d\d[NSEW]$/),
  2005: pattern(/^\d{1,3},\d{1,2}(?:,\d{1,2}|\.\d+)[NSEW]$/),
}

const builtInTypes: Readonly<Record<Edition, ReadonlyMap<string, ValueType>>> = {
  2004: typesOf(2004, structures2004),
  2005: typesOf(2005, structures2005),
}

function typesOf(edition: Edition, structures: Structures): ReadonlyMap<string, ValueType> {
  return new Map<string, ValueType>([
    ...simpleTypes,
    ['gpscoordinate', gpsCoordinates[edition]],
    ...Object.entries(structures).map(
      ([name, { namespace, fields }]) =>
        [typeName(name), { namespace, fields: new Map(Object.entries(fields)) }] as const,
    ),
  ])
}

function pattern(expression: RegExp): SimpleType {
  return (text) => expression.test(text)
}

/** A type that an extension schema names without fields: its values are text. */
export const textType: ValueType = anyText
