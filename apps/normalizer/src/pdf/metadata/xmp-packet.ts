import { escapeXml } from './xml-text.ts'
import { type XmpProperty, type XmpValue, xmpNamespaces } from './xmp.ts'

/**
 * Writes the properties as a packet of one fixed form: UTF-8, one `rdf:Description`, prefixes and properties
 * sorted, elements only, read-only and without padding. The `xpacket` has no `bytes` or `encoding` (ISO 19005-1,
 * 6.7.5).
 *
 * @param prefixes of every namespace that occurs in the properties and is not among {@link xmpNamespaces}
 */
export function writeXmpPacket(
  properties: readonly XmpProperty[],
  prefixes: ReadonlyMap<string, string> = new Map(),
): Uint8Array {
  const prefixOf = prefixTable(prefixes)
  const declared = [...namespacesIn(properties)]
    .map((namespace) => [prefixOf(namespace), namespace] as const)
    .toSorted(([a], [b]) => compare(a, b))

  const lines = [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    `<x:xmpmeta xmlns:x="${xmpNamespaces.meta}">`,
    ` <rdf:RDF xmlns:rdf="${xmpNamespaces.rdf}">`,
    `  <rdf:Description rdf:about=""${declared.map(declaration).join('')}>`,
    ...sorted(properties, prefixOf).flatMap((property) => propertyLines(property, prefixOf, 3)),
    '  </rdf:Description>',
    ' </rdf:RDF>',
    '</x:xmpmeta>',
    '<?xpacket end="r"?>',
  ]
  return Buffer.from(lines.join('\n'), 'utf8')
}

type PrefixOf = (namespace: string) => string

function prefixTable(prefixes: ReadonlyMap<string, string>): PrefixOf {
  const table = new Map(prefixes)
  for (const [prefix, namespace] of Object.entries(xmpNamespaces)) table.set(namespace, prefix)
  return (namespace) => {
    const prefix = table.get(namespace)
    if (prefix === undefined) throw new Error(`no prefix for the namespace ${namespace}`)
    return prefix
  }
}

function namespacesIn(properties: readonly XmpProperty[]): Set<string> {
  const namespaces = new Set<string>()
  const queue = [...properties]
  for (const { namespace, value } of queue) {
    namespaces.add(namespace)
    const values = [value]
    for (const one of values) {
      if (one.kind === 'array') for (const item of one.items) values.push(item)
      if (one.kind === 'structure') for (const field of one.fields) queue.push(field)
    }
  }
  return namespaces
}

function declaration([prefix, namespace]: readonly [string, string]): string {
  return `\n    xmlns:${prefix}="${escapeXml(namespace)}"`
}

function sorted(properties: readonly XmpProperty[], prefixOf: PrefixOf): XmpProperty[] {
  const key = ({ namespace, name }: XmpProperty): string => `${prefixOf(namespace)}:${name}`
  return properties.toSorted((a, b) => compare(key(a), key(b)))
}

/** Depth is that of the values, which the reader bounds. */
function propertyLines(property: XmpProperty, prefixOf: PrefixOf, depth: number): string[] {
  return elementLines(
    `${prefixOf(property.namespace)}:${property.name}`,
    property.value,
    prefixOf,
    depth,
  )
}

function elementLines(name: string, value: XmpValue, prefixOf: PrefixOf, depth: number): string[] {
  const indent = ' '.repeat(depth)
  if (value.kind === 'text') {
    const language = value.language === null ? '' : ` xml:lang="${escapeXml(value.language)}"`
    return [`${indent}<${name}${language}>${escapeXml(value.text)}</${name}>`]
  }
  if (value.kind === 'structure') {
    return [
      `${indent}<${name} rdf:parseType="Resource">`,
      ...sorted(value.fields, prefixOf).flatMap((f) => propertyLines(f, prefixOf, depth + 1)),
      `${indent}</${name}>`,
    ]
  }
  return [
    `${indent}<${name}>`,
    `${indent} <rdf:${value.form}>`,
    ...value.items.flatMap((item) => elementLines('rdf:li', item, prefixOf, depth + 2)),
    `${indent} </rdf:${value.form}>`,
    `${indent}</${name}>`,
  ]
}

/** By code unit: the same order in every locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
