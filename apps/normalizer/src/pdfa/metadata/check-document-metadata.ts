import { documentCatalog } from '../../pdf/catalog.ts'
import { decodeStream } from '../../pdf/filter/decode-stream.ts'
import { isName, PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { type Place, wholeFile } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { checkExtensionSchemas } from './extension-rules.ts'
import { ExtensionSchemas } from './extension-schemas.ts'
import { identificationIn, identificationRules, mainPacketRules } from './identification.ts'
import { infoRules } from './info-match.ts'
import { type Packet, packetRules, readPacket } from './packet.ts'
import { editionOf, isExtensionContainer, propertyFacts, propertyRules } from './property-rules.ts'
import type { XmpNode } from './xmp-node.ts'

/**
 * The metadata of the catalog (6.7 of part 1, 6.6.2 of parts 2 and 3, 6.7 of part 4), its match with the document
 * information dictionary, and from part 2 on the metadata of everything else in the file, whether it is shown or not.
 */
export function checkDocumentMetadata(validation: Validation): void {
  const { graph, part } = validation
  const value = documentCatalog(graph).get('Metadata')
  const stream = metadataStream(graph, graph.resolve(value))
  validation.check(catalogRules, { graph, stream }, wholeFile)
  const main = stream && readPacket(decodeStream(graph, stream))
  const properties = main?.properties ?? []
  if (main) {
    const place = placeOf(graph, value)
    checkPacket(validation, main, null, place)
    const identification = identificationIn(properties)
    validation.check(mainPacketRules, identification, place)
    if (identification) validation.check(identificationRules, identification, place)
  }
  checkInfo(validation, properties)
  if (part === 1) return

  let schemas: ExtensionSchemas | null = null
  for (const [other, place] of otherMetadata(graph, stream)) {
    schemas ??= new ExtensionSchemas(properties, editionOf(part), null)
    checkPacket(validation, readPacket(decodeStream(graph, other)), schemas, place)
  }
}

interface CatalogMetadata {
  readonly graph: ObjectGraph
  readonly stream: PdfStream | null
}

const catalogRules = new RuleSet<CatalogMetadata>('metadata of the catalog', [
  {
    clauses: { '1': '6.7.2 t1', '2-3': '6.6.2.1 t1', '4': '6.7.2.1 t1' },
    description: 'The catalog has metadata, in a stream of type Metadata and subtype XML',
    holds: ({ stream }) => stream !== null,
  },
  {
    clauses: { '1': '6.7.2 t2' },
    description: 'The metadata stream of the catalog has no filter',
    holds: ({ graph, stream }) => {
      const filter = graph.resolve(stream?.dictionary.get('Filter'))
      return filter === null || (Array.isArray(filter) && filter.length === 0)
    },
  },
])

/** @param main extension schemas of the document's own packet, for the packets of its parts */
function checkPacket(
  validation: Validation,
  packet: Packet,
  main: ExtensionSchemas | null,
  place: Place,
): void {
  validation.check(packetRules, packet, place)
  const { part } = validation
  if (part === 4) return
  const edition = editionOf(part)
  const own = new ExtensionSchemas(packet.properties, edition, main)
  for (const property of packet.properties) {
    if (isExtensionContainer(property)) {
      checkExtensionSchemas(validation, property, own, place)
      continue
    }
    const facts = propertyFacts(property, main ? [own, main] : [own], edition)
    validation.check(propertyRules, facts, place)
  }
}

function checkInfo(validation: Validation, properties: readonly XmpNode[]): void {
  const { graph, file } = validation
  // An update that leaves the entry out has no such dictionary.
  const trailer = file.sections[0]?.trailer ?? graph.trailer
  const value = trailer.get('Info')
  const info = graph.resolve(value)
  if (!(info instanceof PdfDictionary)) return
  validation.check(infoRules, { graph, info, properties }, placeOf(graph, value))
}

/** Streams that say that they are metadata and that a `/Metadata` key leads to, each once, with their places. */
function* otherMetadata(graph: ObjectGraph, main: PdfStream | null): Generator<[PdfStream, Place]> {
  const candidates = metadataStreams(graph, main)
  if (candidates.size === 0) return
  for (const number of graph.numbers()) {
    const rest: PdfObject[] = [graph.get(number)]
    for (let object = rest.pop(); object !== undefined; object = rest.pop()) {
      if (Array.isArray(object)) for (const item of object) rest.push(item)
      const dictionary = object instanceof PdfStream ? object.dictionary : object
      if (!(dictionary instanceof PdfDictionary)) continue
      for (const [key, value] of dictionary) {
        if (!(value instanceof PdfReference)) rest.push(value)
        else if (key === 'Metadata') {
          const stream = graph.resolve(value)
          if (!(stream instanceof PdfStream) || !candidates.delete(stream)) continue
          yield [stream, placeOf(graph, value)]
        }
      }
    }
  }
}

function metadataStreams(graph: ObjectGraph, main: PdfStream | null): Set<PdfStream> {
  const streams = new Set<PdfStream>()
  for (const number of graph.numbers()) {
    const stream = metadataStream(graph, graph.get(number))
    if (stream && stream !== main) streams.add(stream)
  }
  return streams
}

/** A stream that says that it is XMP; null for any other object. */
function metadataStream(graph: ObjectGraph, object: PdfObject): PdfStream | null {
  if (!(object instanceof PdfStream)) return null
  const { dictionary } = object
  const isMetadata = isName(graph.resolve(dictionary.get('Type')), 'Metadata')
  return isMetadata && isName(graph.resolve(dictionary.get('Subtype')), 'XML') ? object : null
}

function placeOf(graph: ObjectGraph, value: PdfObject | undefined): Place {
  if (!(value instanceof PdfReference)) return { object: null, page: null }
  const { number } = value
  return { object: { number, generation: graph.generation(number) }, page: null }
}
