import { xmpNamespaces } from '../../pdf/metadata/xmp.ts'
import { type Edition, parseType, textType, type ValueType, ValueTypes } from './value-types.ts'
import { findNode, simpleText, type XmpNode } from './xmp-node.ts'

/** A property that an extension schema defines. */
export interface DefinedProperty {
  /** As the schema spells it. */
  readonly type: string
  /** What the type is to be read by. */
  readonly types: ValueTypes
}

/** The properties that the extension schemas of a packet define, and their types (ISO 19005-2, 6.6.2.3). */
export class ExtensionSchemas {
  readonly #byNamespace = new Map<string, DefinedSchema>()
  readonly #builtIn: ValueTypes

  /**
   * @param properties of the packet
   * @param main schemas of the document's own packet for that of a part of it: their types are known there too
   */
  constructor(properties: readonly XmpNode[], edition: Edition, main: ExtensionSchemas | null) {
    this.#builtIn = new ValueTypes(edition)
    const container = findNode(properties, xmpNamespaces.pdfaExtension, 'schemas')
    // Of schemas with one namespace the last counts, and only one that has properties.
    for (const schema of itemsOf(container)) {
      const namespace = namespaceOf(schema)
      const described = schemaField(schema, 'property')
      if (namespace === null || described?.value.kind !== 'array') continue
      const inherited = main === null ? undefined : main.#byNamespace.get(namespace)?.ownTypes
      const ownTypes = new Map([...(inherited ?? []), ...typesOf(schema)])
      const types = new ValueTypes(edition, ownTypes)
      this.#byNamespace.set(namespace, {
        ownTypes,
        types,
        properties: propertiesOf(itemsOf(described), types),
      })
    }
  }

  find(namespace: string, name: string): DefinedProperty | undefined {
    return this.#byNamespace.get(namespace)?.properties.get(name)
  }

  /** The types that properties and fields of a schema may have. */
  typesFor(schema: XmpNode): ValueTypes {
    return this.#byNamespace.get(namespaceOf(schema) ?? '')?.types ?? this.#builtIn
  }
}

interface DefinedSchema {
  readonly ownTypes: ReadonlyMap<string, ValueType>
  readonly types: ValueTypes
  readonly properties: ReadonlyMap<string, DefinedProperty>
}

/** Null when the field is absent; the empty text when it is no text. */
function namespaceOf(schema: XmpNode): string | null {
  const field = schemaField(schema, 'namespaceURI')
  return field ? textOf(field) : null
}

function typesOf(schema: XmpNode): Map<string, ValueType> {
  const types = new Map<string, ValueType>()
  const { pdfaType } = xmpNamespaces
  for (const type of itemsOf(schemaField(schema, 'valueType'))) {
    const name = findNode(fieldsOf(type), pdfaType, 'type')
    if (!name) continue
    const { forms, base } = parseType(textOf(name))
    // A name that starts as an array does names nothing: the rest of it would be the type of the items.
    if (forms.length > 0) continue
    const fields = fieldTypes(itemsOf(findNode(fieldsOf(type), pdfaType, 'field')))
    const namespace = findNode(fieldsOf(type), pdfaType, 'namespaceURI')
    if (fields.size === 0) types.set(base, textType)
    else if (namespace) types.set(base, { namespace: textOf(namespace), fields })
  }
  return types
}

/** Of fields with one name the last counts. */
function fieldTypes(fields: readonly XmpNode[]): ReadonlyMap<string, string> {
  return new Map(namedTypes(fields, xmpNamespaces.pdfaField))
}

/** Of properties with one name the first counts, and only one whose type is known. */
function propertiesOf(
  described: readonly XmpNode[],
  types: ValueTypes,
): ReadonlyMap<string, DefinedProperty> {
  return new Map(
    namedTypes(described, xmpNamespaces.pdfaProperty)
      .filter(([, type]) => types.isDefined(type))
      .map(([name, type]) => [name, { type, types }] as const)
      .toReversed(),
  )
}

/** Name and type of what has both. */
function namedTypes(described: readonly XmpNode[], namespace: string): [string, string][] {
  return described.flatMap((one): [string, string][] => {
    const name = findNode(fieldsOf(one), namespace, 'name')
    const type = findNode(fieldsOf(one), namespace, 'valueType')
    return name && type ? [[textOf(name), textOf(type)]] : []
  })
}

function schemaField(schema: XmpNode, name: string): XmpNode | undefined {
  return findNode(fieldsOf(schema), xmpNamespaces.pdfaSchema, name)
}

export function itemsOf(node: XmpNode | undefined): readonly XmpNode[] {
  return node?.value.kind === 'array' ? node.value.items : []
}

export function fieldsOf({ value }: XmpNode): readonly XmpNode[] {
  return value.kind === 'structure' ? value.fields : []
}

function textOf(node: XmpNode): string {
  return simpleText(node) ?? ''
}
