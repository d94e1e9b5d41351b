import { readXmlLoosely, type XmlElement } from './xml.ts'

/** One property of ISO 16684-1, 6: a name in a namespace with its value. */
export interface XmpProperty {
  readonly namespace: string
  readonly name: string
  readonly value: XmpValue
}

export type XmpValue =
  | { readonly kind: 'text'; readonly text: string; readonly language: string | null }
  | {
      readonly kind: 'array'
      readonly form: 'Seq' | 'Bag' | 'Alt'
      readonly items: readonly XmpValue[]
    }
  | { readonly kind: 'structure'; readonly fields: readonly XmpProperty[] }

export const xmpNamespaces = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  xml: 'http://www.w3.org/XML/1998/namespace',
  meta: 'adobe:ns:meta/',
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  pdfaid: 'http://www.aiim.org/pdfa/ns/id/',
  pdfuaid: 'http://www.aiim.org/pdfua/ns/id/',
  pdfaExtension: 'http://www.aiim.org/pdfa/ns/extension/',
  pdfaSchema: 'http://www.aiim.org/pdfa/ns/schema#',
  pdfaProperty: 'http://www.aiim.org/pdfa/ns/property#',
  pdfaType: 'http://www.aiim.org/pdfa/ns/type#',
  pdfaField: 'http://www.aiim.org/pdfa/ns/field#',
} as const

/**
 * The properties of an XMP packet, in the order of the file: the RDF/XML of ISO 16684-1, 7 in any of its
 * spellings. Qualifiers other than `xml:lang` are left out.
 *
 * @returns null when it is not well-formed XML or holds no `rdf:RDF`
 */
export function readXmp(bytes: Uint8Array): XmpProperty[] | null {
  const root = readXmlLoosely(bytes)
  const rdf = root && findRdf(root)
  if (!rdf) return null
  return elementsOf(rdf)
    .filter((element) => isRdf(element, 'Description'))
    .flatMap(propertiesOf)
}

/** The first property with this name. */
export function findXmpProperty(
  properties: readonly XmpProperty[],
  namespace: string,
  name: string,
): XmpValue | undefined {
  return properties.find((property) => property.namespace === namespace && property.name === name)
    ?.value
}

/** The text of a simple value, of an alternative's default (`x-default`, else the first) or of an array's first item. */
export function xmpText(value: XmpValue | undefined): string | null {
  if (!value || value.kind === 'structure') return null
  if (value.kind === 'text') return value.text
  const texts = value.items.filter((item) => item.kind === 'text')
  return (texts.find(({ language }) => language === 'x-default') ?? texts[0])?.text ?? null
}

/** `x:xmpmeta` may be absent, and foreign wrappers occur: the first `rdf:RDF`, breadth first. */
function findRdf(root: XmlElement): XmlElement | null {
  const queue = [root]
  for (const element of queue) {
    if (isRdf(element, 'RDF')) return element
    for (const child of elementsOf(element)) queue.push(child)
  }
  return null
}

/** Of a node element: its attributes (7.4, 7.5) and the elements in it. Depth is bounded by the XML reader. */
function propertiesOf(node: XmlElement): XmpProperty[] {
  const properties = attributeProperties(node)
  for (const element of elementsOf(node)) {
    const { namespace, name } = element
    properties.push({ namespace, name, value: valueOf(element) })
  }
  return properties
}

function attributeProperties({ attributes }: XmlElement): XmpProperty[] {
  return attributes
    .filter(({ namespace }) => !['', xmpNamespaces.rdf, xmpNamespaces.xml].includes(namespace))
    .map(({ namespace, name, value }) => ({ namespace, name, value: plainText(value) }))
}

/** The value of a property element or of an `rdf:li`. */
function valueOf(element: XmlElement): XmpValue {
  const language = attribute(element, xmpNamespaces.xml, 'lang')
  if (attribute(element, xmpNamespaces.rdf, 'parseType') === 'Resource') {
    return unqualified(propertiesOf(element), language)
  }
  const resource = attribute(element, xmpNamespaces.rdf, 'resource')
  if (resource !== null) return plainText(resource, language)

  const [child] = elementsOf(element)
  if (child) return nodeValue(child, language)
  const fields = attributeProperties(element)
  if (fields.length > 0) return { kind: 'structure', fields }
  return plainText(attribute(element, xmpNamespaces.rdf, 'value') ?? textOf(element), language)
}

function nodeValue(node: XmlElement, language: string | null): XmpValue {
  for (const form of ['Seq', 'Bag', 'Alt'] as const) {
    if (!isRdf(node, form)) continue
    const items = elementsOf(node)
      .filter((item) => isRdf(item, 'li'))
      .map(valueOf)
    return { kind: 'array', form, items }
  }
  return unqualified(propertiesOf(node), language)
}

/** 7.8: a structure with `rdf:value` is that value with qualifiers. */
function unqualified(fields: XmpProperty[], language: string | null): XmpValue {
  const value = findXmpProperty(fields, xmpNamespaces.rdf, 'value')
  if (!value) return { kind: 'structure', fields }
  return value.kind === 'text' ? { ...value, language: value.language ?? language } : value
}

function plainText(text: string, language: string | null = null): XmpValue {
  return { kind: 'text', text, language }
}

function textOf({ children }: XmlElement): string {
  return children.filter((child) => typeof child === 'string').join('')
}

function elementsOf({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== 'string')
}

function isRdf(element: XmlElement, name: string): boolean {
  return element.namespace === xmpNamespaces.rdf && element.name === name
}

function attribute({ attributes }: XmlElement, namespace: string, name: string): string | null {
  const found = attributes.find((one) => one.namespace === namespace && one.name === name)
  return found?.value ?? null
}
