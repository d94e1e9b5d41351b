import { xmpNamespaces } from '../../pdf/metadata/xmp.ts'
import { type FlavourGroup, type Rule, RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import type { Place } from '../failures.ts'
import { type ExtensionSchemas, fieldsOf, itemsOf } from './extension-schemas.ts'
import type { ValueTypes } from './value-types.ts'
import { findNode, simpleText, type XmpNode } from './xmp-node.ts'

/**
 * Holds `pdfaExtension:schemas` and all in it against the tables of ISO 19005-2, 6.6.2.3.3.
 *
 * @param schemas what it defines
 */
export function checkExtensionSchemas(
  validation: Validation,
  container: XmpNode,
  schemas: ExtensionSchemas,
  place: Place,
): void {
  validation.check(containerRules, container, place)
  for (const schema of itemsOf(container)) {
    const types = schemas.typesFor(schema)
    const check = (rules: RuleSet<Described>, node: XmpNode): void =>
      validation.check(rules, { node, types }, place)
    check(schemaRules, schema)
    for (const property of itemsIn(schema, pdfaSchema, 'property')) check(propertyRules, property)
    for (const type of itemsIn(schema, pdfaSchema, 'valueType')) {
      check(valueTypeRules, type)
      for (const field of itemsIn(type, pdfaType, 'field')) check(fieldRules, field)
    }
  }
}

const { pdfaExtension, pdfaSchema, pdfaProperty, pdfaType, pdfaField } = xmpNamespaces

/** What ISO 19005 requires for its own namespaces, where others may have any prefix. */
const requiredPrefixes: ReadonlyMap<string, string> = new Map([
  [pdfaExtension, 'pdfaExtension'],
  [pdfaSchema, 'pdfaSchema'],
  [pdfaProperty, 'pdfaProperty'],
  [pdfaType, 'pdfaType'],
  [pdfaField, 'pdfaField'],
])

/** A schema, a property, a type or a field, with the types that its schema may use. */
interface Described {
  readonly node: XmpNode
  readonly types: ValueTypes
}

const containerRules = new RuleSet<XmpNode>('extension schema container', [
  {
    clauses: clauses(1),
    description: 'pdfaExtension:schemas is a bag of schemas and has this prefix',
    holds: ({ value, prefix }) =>
      value.kind === 'array' && value.form === 'Bag' && prefix === prefixOf(pdfaExtension),
  },
])

const schemaRules = new RuleSet<Described>('extension schema', [
  knownFields(pdfaSchema, ['schema', 'namespaceURI', 'prefix', 'property', 'valueType']),
  textField(2, pdfaSchema, 'schema'),
  textField(3, pdfaSchema, 'namespaceURI'),
  textField(4, pdfaSchema, 'prefix'),
  sequenceField(5, pdfaSchema, 'property'),
  sequenceField(6, pdfaSchema, 'valueType'),
])

const propertyRules = new RuleSet<Described>('property of an extension schema', [
  knownFields(pdfaProperty, ['name', 'valueType', 'category', 'description']),
  textField(7, pdfaProperty, 'name'),
  typeField(8, pdfaProperty),
  textField(9, pdfaProperty, 'category', ['external', 'internal']),
  textField(10, pdfaProperty, 'description'),
])

const valueTypeRules = new RuleSet<Described>('value type of an extension schema', [
  knownFields(pdfaType, ['type', 'namespaceURI', 'prefix', 'description', 'field']),
  textField(11, pdfaType, 'type'),
  textField(12, pdfaType, 'namespaceURI'),
  textField(13, pdfaType, 'prefix'),
  textField(14, pdfaType, 'description'),
  sequenceField(15, pdfaType, 'field'),
])

const fieldRules = new RuleSet<Described>('field of a value type of an extension schema', [
  knownFields(pdfaField, ['name', 'valueType', 'description']),
  textField(16, pdfaField, 'name'),
  typeField(17, pdfaField),
  textField(18, pdfaField, 'description'),
])

/** Part 1 counts its tests from the one about undefined fields on, which has a clause of its own in the later parts. */
function clauses(test: number): Partial<Record<FlavourGroup, string>> {
  return { '1': `6.7.8 t${test + 1}`, '2-3': `6.6.2.3.3 t${test}` }
}

function knownFields(namespace: string, names: readonly string[]): Rule<Described> {
  const isKnown = (field: XmpNode): boolean =>
    field.namespace === namespace && names.includes(field.name)
  return {
    clauses: { '1': '6.7.8 t1', '2-3': '6.6.2.3.2 t1' },
    description: `Of the fields of ${prefixOf(namespace)} there are none but ${names.join(', ')}`,
    holds: ({ node }) =>
      node.value.kind === 'array' ? node.value.items.length === 0 : fieldsOf(node).every(isKnown),
  }
}

/** @param values that it may have; any when left out */
function textField(
  test: number,
  namespace: string,
  name: string,
  values?: readonly string[],
): Rule<Described> {
  const choice = values === undefined ? 'text' : values.join(' or ')
  return {
    clauses: clauses(test),
    description: `${prefixOf(namespace)}:${name} is present, is ${choice} and has this prefix`,
    holds: ({ node }) => {
      const field = findNode(fieldsOf(node), namespace, name)
      const text = simpleText(field)
      if (text === null || field?.prefix !== prefixOf(namespace)) return false
      return values === undefined || values.includes(text)
    },
  }
}

function typeField(test: number, namespace: string): Rule<Described> {
  return {
    clauses: clauses(test),
    description: `${prefixOf(namespace)}:valueType is present, names a type that is defined and has this prefix`,
    holds: ({ node, types }) => {
      const field = findNode(fieldsOf(node), namespace, 'valueType')
      const text = simpleText(field)
      return text !== null && types.isDefined(text) && field?.prefix === prefixOf(namespace)
    },
  }
}

function sequenceField(test: number, namespace: string, name: string): Rule<Described> {
  return {
    clauses: clauses(test),
    description: `${prefixOf(namespace)}:${name} is an ordered array and has this prefix`,
    holds: ({ node }) => {
      const field = findNode(fieldsOf(node), namespace, name)
      if (field === undefined) return true
      const { value, prefix } = field
      if (value.kind !== 'array' || value.form === 'Bag') return false
      return prefix === '' || prefix === prefixOf(namespace)
    },
  }
}

function itemsIn(node: XmpNode, namespace: string, name: string): readonly XmpNode[] {
  return itemsOf(findNode(fieldsOf(node), namespace, name))
}

function prefixOf(namespace: string): string {
  return requiredPrefixes.get(namespace) ?? ''
}
