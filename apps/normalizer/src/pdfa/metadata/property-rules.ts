import { xmpNamespaces } from '../../pdf/metadata/xmp.ts'
import type { Part } from '../flavour.ts'
import { RuleSet } from '../rule.ts'
import type { DefinedProperty, ExtensionSchemas } from './extension-schemas.ts'
import { type Schemas, schemas2004 } from './schemas-2004.ts'
import { schemas2005 } from './schemas-2005.ts'
import { type Edition, ValueTypes } from './value-types.ts'
import type { XmpNode } from './xmp-node.ts'

interface PropertyFacts {
  readonly property: XmpNode
  /** Null when nothing defines the property. */
  readonly definition: DefinedProperty | null
  /** Whether its namespace is that of a schema that needs no description in the file. */
  readonly isOfPredefinedSchema: boolean
}

/** Part 4 asks for well-formed XMP only. */
export const propertyRules = new RuleSet<PropertyFacts>('XMP property', [
  {
    clauses: { '1': '6.7.2 t3', '2-3': '6.6.2.3.1 t1' },
    description: 'A property is of a predefined schema or of an extension schema of the file',
    holds: ({ definition }) => definition !== null,
    found: ({ property }) => qualifiedName(property),
  },
  {
    clauses: { '2-3': '6.6.2.3.2 t2' },
    description:
      'A property of a schema that is not predefined is described in an extension schema',
    holds: ({ definition, isOfPredefinedSchema }) => definition !== null || isOfPredefinedSchema,
    found: ({ property }) => qualifiedName(property),
  },
  {
    clauses: { '1': '6.7.2 t4', '2-3': '6.6.2.3.1 t2' },
    description: 'The value of a property is of the type that its schema gives it',
    holds: ({ property, definition }) =>
      definition?.types.matches(property, definition.type) ?? false,
    found: ({ property, definition }) =>
      `${qualifiedName(property)} of ${definition === null ? 'no known type' : `another type than ${shortened(definition.type)}`}`,
  },
])

/** @param extensions where to look first, in their order */
export function propertyFacts(
  property: XmpNode,
  extensions: readonly ExtensionSchemas[],
  edition: Edition,
): PropertyFacts {
  const { namespace, name } = property
  const { schemas, types } = predefined[edition]
  const schema = schemas.get(namespace)
  const isOfPredefinedSchema = schema !== undefined
  for (const extension of extensions) {
    const definition = extension.find(namespace, name)
    if (definition) return { property, definition, isOfPredefinedSchema }
  }
  const type = schema?.get(name)
  const definition = type === undefined ? null : { type, types }
  return { property, definition, isOfPredefinedSchema }
}

/** The extension schemas are judged by rules of their own. */
export function isExtensionContainer({ namespace, name }: XmpNode): boolean {
  return namespace === xmpNamespaces.pdfaExtension && name === 'schemas'
}

/** Part 1 refers to the XMP Specification of 2004, the later parts to that of 2005. */
export function editionOf(part: Part): Edition {
  return part === 1 ? 2004 : 2005
}

const predefined = {
  2004: { schemas: byNamespace(schemas2004), types: new ValueTypes(2004) },
  2005: { schemas: byNamespace(schemas2005), types: new ValueTypes(2005) },
}

/** Names in a file are any: they are looked up in maps. */
function byNamespace(schemas: Schemas): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return new Map(
    Object.entries(schemas).map(([namespace, properties]) => [
      namespace,
      new Map(Object.entries(properties)),
    ]),
  )
}

function qualifiedName({ prefix, name }: XmpNode): string {
  return shortened(prefix === '' ? name : `${prefix}:${name}`)
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
