import { readXmlDocument, type XmlElement } from '../../pdf/metadata/xml.ts'
import { xmpNamespaces } from '../../pdf/metadata/xmp.ts'
import { readRdf } from './read-rdf.ts'
import { RuleSet } from '../rule.ts'
import type { XmpNode } from './xmp-node.ts'

/** An XMP packet, as the rules see it. */
export interface Packet {
  /** Attributes of its header that no packet of PDF/A has; null when they are absent. */
  readonly bytes: string | null
  readonly encoding: string | null
  /** What it is written in; null when nothing in it could be read. */
  readonly actualEncoding: string | null
  /** Well-formed, and RDF as XMP has it. */
  readonly isSerializationValid: boolean
  /** In the order of the packet. */
  readonly properties: readonly XmpNode[]
}

export const packetRules = new RuleSet<Packet>('XMP packet', [
  {
    clauses: { '1': '6.7.5 t1', '2-3': '6.6.2.1 t2', '4': '6.7.2.1 t2' },
    description: 'The header of an XMP packet has no bytes attribute',
    holds: ({ bytes }) => bytes === null,
  },
  {
    clauses: { '1': '6.7.5 t2', '2-3': '6.6.2.1 t3', '4': '6.7.2.1 t3' },
    description: 'The header of an XMP packet has no encoding attribute',
    holds: ({ encoding }) => encoding === null,
  },
  {
    clauses: { '1': '6.7.9 t1', '2-3': '6.6.2.1 t4', '4': '6.7.2.1 t4' },
    description: 'An XMP packet is well-formed XML that holds RDF as XMP defines it',
    holds: ({ isSerializationValid }) => isSerializationValid,
  },
  {
    clauses: { '2-3': '6.6.2.1 t5', '4': '6.7.2.1 t5' },
    description: 'An XMP packet is encoded as UTF-8',
    holds: ({ actualEncoding }) => actualEncoding === 'UTF-8',
    found: ({ actualEncoding }) => actualEncoding ?? 'no metadata that can be read',
  },
])

/** @param bytes the decoded stream; null when it does not decode */
export function readPacket(bytes: Uint8Array | null): Packet {
  const document = bytes && readXmlDocument(bytes)
  if (!document) return unreadable
  const rdf = findRdf(document.root)
  const properties = rdf ? readRdf(rdf) : []
  if (!properties) return unreadable
  const header = document.instructions.findLast(({ target }) => target === 'xpacket')?.data ?? ''
  return {
    bytes: pseudoAttribute(bytesAttribute, header),
    encoding: pseudoAttribute(encodingAttribute, header),
    actualEncoding: rdf && document.encoding,
    isSerializationValid: true,
    properties,
  }
}

/** Of a packet that cannot be read nothing else is said. */
const unreadable: Packet = {
  bytes: null,
  encoding: null,
  actualEncoding: null,
  isSerializationValid: false,
  properties: [],
}

/** Foreign wrappers occur, and `x:xmpmeta` may be absent. */
function findRdf(root: XmlElement): XmlElement | null {
  const rest = [root]
  for (let element = rest.pop(); element; element = rest.pop()) {
    if (element.namespace === xmpNamespaces.rdf && element.name === 'RDF') return element
    for (const child of element.children.toReversed()) {
      if (typeof child !== 'string') rest.push(child)
    }
  }
  return null
}

function pseudoAttribute(attribute: RegExp, header: string): string | null {
  const [, quoted] = attribute.exec(header) ?? []
  return quoted?.slice(1, -1) ?? null
}

const bytesAttribute = /bytes\s*=\s*("[^"]*"|'[^']*')/
const encodingAttribute = /encoding\s*=\s*("[^"]*"|'[^']*')/
