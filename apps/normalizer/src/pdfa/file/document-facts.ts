import { documentCatalog } from '../../pdf/catalog.ts'
import { PdfDictionary, PdfName, PdfString, type PdfObject } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { PdfFile } from '../../pdf/pdf-file.ts'
import { skipEndOfLine } from '../../pdf/reading/character-set.ts'
import type { DocumentFacts } from './document-rules.ts'

/** What the rules for the file as a whole ask about. */
export function documentFacts(file: PdfFile): DocumentFacts {
  const { graph, sections } = file
  const catalog = documentCatalog(graph)
  const header = headerOf(file)
  return {
    headerOffset: file.header.offset,
    headerLine: header.line,
    secondLine: header.next,
    get trailingBytes() {
      return trailingBytes(file.bytes)
    },
    isLinearized: file.linearization?.dictionary.get('L') === file.bytes.length,
    isEncrypted: file.encrypted,
    hasCrossReferenceStream: sections.some(({ kind }) => kind === 'stream'),
    isCrossReferenceSound: !file.repairs.crossReferenceRebuilt,
    get firstIdentifier() {
      return identifierIn(graph, newestTrailer(file))
    },
    get lastIdentifier() {
      return identifierIn(graph, lastTrailer(file))
    },
    hasInfo: isPresent(newestTrailer(file).get('Info')),
    hasPieceInfo: isPresent(catalog.get('PieceInfo')),
    hasOptionalContent: isPresent(catalog.get('OCProperties')),
    get hasRequirements() {
      return graph.resolve(catalog.get('Requirements')) !== null
    },
    get needsRendering() {
      const needsRendering = graph.resolve(catalog.get('NeedsRendering'))
      return needsRendering !== null && needsRendering !== false
    },
    get isMarked() {
      const markInfo = graph.resolve(catalog.get('MarkInfo'))
      return markInfo instanceof PdfDictionary && graph.resolve(markInfo.get('Marked')) === true
    },
    get hasEmbeddedFiles() {
      const names = graph.resolve(catalog.get('Names'))
      return names instanceof PdfDictionary && isPresent(names.get('EmbeddedFiles'))
    },
    get catalogVersion() {
      const version = graph.resolve(catalog.get('Version'))
      return version instanceof PdfName ? version.value : null
    },
    get indirectObjects() {
      return [...graph.numbers()].length
    },
  }
}

/** The trailer that the last `startxref` leads to. */
function newestTrailer({ sections, graph }: PdfFile): PdfDictionary {
  return nonEmpty(sections[0]?.trailer) ?? graph.trailer
}

/** The one that stands last: of a linearized file it is not the newest. */
function lastTrailer({ sections, graph }: PdfFile): PdfDictionary {
  const last = sections.toSorted((one, other) => other.offset - one.offset)[0]
  return nonEmpty(last?.trailer) ?? graph.trailer
}

/** A section that breaks off has no trailer that is read with it; what the file has is found elsewhere. */
function nonEmpty(trailer: PdfDictionary | undefined): PdfDictionary | null {
  return trailer === undefined || trailer.size === 0 ? null : trailer
}

/** A key is there also when what it refers to is not. */
function isPresent(value: PdfObject | undefined): boolean {
  return value !== undefined && value !== null
}

function headerOf({ bytes, header }: PdfFile): { line: string; next: Uint8Array } {
  const start = header.offset ?? 0
  const head = Buffer.from(bytes.subarray(start, start + longestHeaderLine))
  const line = head.toString('latin1').split(/[\r\n]/, 1)[0] ?? ''
  const next = skipEndOfLine(bytes, start + line.length)
  return { line, next: bytes.subarray(next, next + 5) }
}

const longestHeaderLine = 1024

function trailingBytes(bytes: Uint8Array): number | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const marker = buffer.lastIndexOf('%%EOF', undefined, 'latin1')
  return marker < 0 ? null : bytes.length - skipEndOfLine(bytes, marker + 5)
}

function identifierIn(graph: ObjectGraph, trailer: PdfDictionary): string | null {
  const identifier = graph.resolve(trailer.get('ID'))
  if (!Array.isArray(identifier)) return null
  return identifier
    .map((part) => graph.resolve(part))
    .map((part) => (part instanceof PdfString ? Buffer.from(part.bytes).toString('latin1') : ''))
    .join('')
}
