import { areDistinct } from '../../pdf/metadata/xml-name.ts'
import { isXmlSpace } from '../../pdf/metadata/xml-text.ts'
import type { XmlAttribute, XmlElement } from '../../pdf/metadata/xml.ts'
import { xmpNamespaces } from '../../pdf/metadata/xmp.ts'
import { type ArrayForm, type NodeValue, simpleText, type XmpNode } from './xmp-node.ts'

/**
 * The properties in an `rdf:RDF` element, held against the RDF that XMP allows (ISO 16684-1, 7): no typed node at the
 * top, no property twice, no text between elements, each spelling of a property with its own attributes and content.
 *
 * @returns null when the serialization is not valid
 */
export function readRdf(rdf: XmlElement): XmpNode[] | null {
  try {
    return topLevelProperties(rdf)
  } catch (error) {
    if (error instanceof InvalidRdf) return null
    throw error
  }
}

class InvalidRdf extends Error {}

function topLevelProperties(rdf: XmlElement): XmpNode[] {
  const properties: XmpNode[] = []
  let about = ''
  for (const description of elementsOf(rdf)) {
    if (!isRdf(description, 'Description')) throw new InvalidRdf()
    properties.push(...nodeContent(description, 'top'))
    const own = aboutOf(description)
    // 7.4: all descriptions are about one resource.
    if (own !== '' && about !== '' && own !== about) throw new InvalidRdf()
    about = about === '' ? own : about
  }
  assertDistinct(properties)
  return properties
}

/** What holds the content: the packet itself, a structure or an array. */
type Holder = 'top' | 'structure' | 'array'

/** A node element (RDF/XML 7.2.11): its property attributes, then its property elements. */
function nodeContent(node: XmlElement, holder: Holder): XmpNode[] {
  const nodes: XmpNode[] = []
  let subjects = 0
  for (const attribute of node.attributes) {
    const term = subjectTerm(attribute, node)
    if (term !== null) {
      subjects += 1
      if (subjects > 1) throw new InvalidRdf()
      continue
    }
    nodes.push(attributeNode(attribute, holder))
  }
  for (const element of elementsOf(node)) nodes.push(propertyElement(element, holder))
  assertDistinct(nodes)
  return nodes
}

function attributeNode(attribute: XmlAttribute, holder: Holder): XmpNode {
  const { namespace, name, prefix, value } = attribute
  if (namespace === '' || isSyntaxTerm(attribute)) throw new InvalidRdf()
  const node: XmpNode = { namespace, prefix, name, value: simple(value), language: null }
  assertPlace(node, holder)
  return node
}

/** A property element in one of its spellings (RDF/XML 7.2.14 to 7.2.21). Depth is bounded by the XML reader. */
function propertyElement(element: XmlElement, holder: Holder): XmpNode {
  const { namespace, prefix, name } = element
  if (namespace === '' || isSyntaxTerm(element)) throw new InvalidRdf()
  const { value, language } = elementValue(element)
  const node: XmpNode = { namespace, prefix, name, value, language }
  assertPlace(node, holder)
  return node
}

type Value = Pick<XmpNode, 'value' | 'language'>

function elementValue(element: XmlElement): Value {
  const others = element.attributes.filter((one) => !isXmlLanguage(one))
  const language = element.attributes.find(isXmlLanguage)?.value ?? null
  const parseType = others.find((one) => isRdf(one, 'parseType'))
  if (parseType) {
    // 7.9.3: of the ways to parse, XMP has that of a structure only.
    if (parseType.value !== 'Resource' || others.length > 1) throw new InvalidRdf()
    return unqualified({ kind: 'structure', fields: propertyElements(element) }, language)
  }
  const isTyped = others.length === 1 && others.some((one) => isRdf(one, 'datatype'))
  if (others.length > 0 && !isTyped) return emptyElementValue(element, others, language)
  if (isTyped || element.children.every((child) => typeof child === 'string')) {
    return { value: simple(literalText(element)), language }
  }
  return nodeValue(element, language)
}

function propertyElements(element: XmlElement): XmpNode[] {
  const fields = elementsOf(element).map((child) => propertyElement(child, 'structure'))
  assertDistinct(fields)
  return fields
}

function literalText({ children, hasSections }: XmlElement): string {
  const text = children.filter((child) => typeof child === 'string')
  if (hasSections || text.length < children.length) throw new InvalidRdf()
  return text.join('')
}

/** RDF/XML 7.2.21: a URI, a value with qualifiers or a structure, all in attributes. */
function emptyElementValue(
  element: XmlElement,
  attributes: readonly XmlAttribute[],
  language: string | null,
): Value {
  if (element.children.length > 0) throw new InvalidRdf()
  const resource = attributes.find((one) => isRdf(one, 'resource'))
  const nodeId = attributes.find((one) => isRdf(one, 'nodeID'))
  const value = attributes.find((one) => isRdf(one, 'value'))
  if (resource && (nodeId || value)) throw new InvalidRdf()
  const rest = attributes.filter(
    (one) => one !== resource && one !== nodeId && one !== value && !isRdf(one, 'ID'),
  )
  const fields = rest.map((one) => attributeNode(one, 'structure'))
  const text = resource ?? value
  if (text) return { value: simple(text.value), language }
  if (fields.length === 0) return { value: simple(''), language }
  return { value: { kind: 'structure', fields }, language }
}

/** RDF/XML 7.2.15: one node element, which is an array or a structure. */
function nodeValue(element: XmlElement, language: string | null): Value {
  const [node, ...others] = elementsOf(element)
  if (!node || others.length > 0) throw new InvalidRdf()
  const form = arrayForms.find((one) => isRdf(node, one))
  if (form) return { value: { kind: 'array', form, items: nodeContent(node, 'array') }, language }
  if (!isRdf(node, 'Description') && !isTypeName(node)) throw new InvalidRdf()
  return unqualified({ kind: 'structure', fields: nodeContent(node, 'structure') }, language)
}

const arrayForms: readonly ArrayForm[] = ['Bag', 'Seq', 'Alt']

/** 7.8: a structure with `rdf:value` is that value, and its other fields are qualifiers. */
function unqualified(
  structure: Extract<NodeValue, { kind: 'structure' }>,
  language: string | null,
): Value {
  const { fields } = structure
  const value = fields.find((field) => isRdf(field, 'value'))
  if (!value) return { value: structure, language }
  const languages = [
    language,
    value.language,
    ...fields.filter(isXmlLanguage).map(simpleText),
  ].filter((one) => one !== null)
  if (languages.length > 1) throw new InvalidRdf()
  return { value: value.value, language: languages[0] ?? null }
}

function assertPlace(node: XmpNode, holder: Holder): void {
  if (isRdf(node, 'li') && holder !== 'array') throw new InvalidRdf()
  if (isRdf(node, 'value') && holder !== 'structure') throw new InvalidRdf()
}

/** 7.9.2: no property, field or qualifier is there twice; items of an array are. */
function assertDistinct(nodes: readonly XmpNode[]): void {
  if (!areDistinct(nodes.filter((node) => !isRdf(node, 'li')))) throw new InvalidRdf()
}

/** What a node is about; null for attributes that say something else. Without a prefix they belong to `rdf` too. */
function subjectTerm(attribute: XmlAttribute, owner: XmlElement): string | null {
  const { namespace, name } = attribute
  const isTerm = ['about', 'ID', 'nodeID'].includes(name)
  if (isTerm && namespace === xmpNamespaces.rdf) return name
  const inherits = namespace === '' && owner.namespace === xmpNamespaces.rdf
  return isTerm && inherits && name !== 'nodeID' ? name : null
}

function aboutOf(description: XmlElement): string {
  const about = description.attributes.find((one) => subjectTerm(one, description) === 'about')
  return about?.value ?? ''
}

/** RDF/XML 7.2.13: a typed node is named after its type. */
function isTypeName(node: XmlElement): boolean {
  return node.namespace !== '' && !isSyntaxTerm(node) && !isRdf(node, 'li')
}

/** RDF/XML 5.1: names that are syntax and name no property. */
function isSyntaxTerm({ namespace, name }: { namespace: string; name: string }): boolean {
  return namespace === xmpNamespaces.rdf && syntaxTerms.has(name)
}

const syntaxTerms: ReadonlySet<string> = new Set([
  'RDF',
  'ID',
  'about',
  'parseType',
  'resource',
  'nodeID',
  'datatype',
  'Description',
  'aboutEach',
  'aboutEachPrefix',
  'bagID',
])

/** The elements in an element that holds nothing else. Readers of XMP refuse instructions and CDATA sections in RDF. */
function elementsOf({ children, hasSections }: XmlElement): XmlElement[] {
  if (hasSections) throw new InvalidRdf()
  const elements: XmlElement[] = []
  for (const child of children) {
    if (typeof child !== 'string') elements.push(child)
    else if (!isXmlSpace(child)) throw new InvalidRdf()
  }
  return elements
}

function simple(text: string): NodeValue {
  return { kind: 'simple', text }
}

function isRdf(one: { namespace: string; name: string }, name: string): boolean {
  return one.namespace === xmpNamespaces.rdf && one.name === name
}

function isXmlLanguage(one: { namespace: string; name: string }): boolean {
  return one.namespace === xmpNamespaces.xml && one.name === 'lang'
}
