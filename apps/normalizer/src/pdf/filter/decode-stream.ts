import { decodeAscii85, decodeAsciiHex } from './ascii.ts'
import { inflate, inflateBeginning } from './flate.ts'
import { decodeLzw } from './lzw.ts'
import { undoPredictor } from './predictor.ts'
import { decodeRunLength } from './run-length.ts'
import { PdfDictionary, PdfName, type PdfObject, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { defaultReadLimits, ResourceLimitError } from '../reading/read-limits.ts'
import type { Undone } from './undone.ts'

/** What a filter needs of the graph; its budget, if it has one, is charged. */
export type FilterGraph = Pick<ObjectGraph, 'resolve' | 'expansionBudget'>

export interface DecodedStream {
  /** As far as it could be decoded. */
  readonly bytes: Uint8Array
  /** Filters that remain: image formats (DCTDecode, JPXDecode, …), encryption and unknown names. */
  readonly remainingFilters: readonly string[]
  /** The data broke off or was corrupt, and `bytes` is what could be had. */
  readonly damaged: boolean
}

/**
 * The stream's data with every filter undone (ISO 32000-2, 7.4); null if one of them is an image format or unknown.
 * Damaged data gives what can be had of it. Not a copy when there is no filter.
 *
 * @throws {ResourceLimitError} when the data expands to more than the limits allow
 */
export function decodeStream(
  graph: FilterGraph,
  stream: PdfStream,
  limits: StreamLimits = defaultReadLimits,
): Uint8Array | null {
  const decoded = decodeStreamPartly(graph, stream, limits)
  return decoded.remainingFilters.length === 0 ? decoded.bytes : null
}

export interface StreamLimits {
  readonly maxStreamBytes: number
}

/**
 * Undoes the filters up to the first that cannot be undone here.
 *
 * @throws {ResourceLimitError} when the data expands to more than the limits allow
 */
export function decodeStreamPartly(
  graph: FilterGraph,
  stream: PdfStream,
  limits: StreamLimits = defaultReadLimits,
): DecodedStream {
  return undoFilters(inflate, graph, stream, limits)
}

/**
 * The first decoded bytes of a stream, at most so many: fewer where it is shorter, or damaged.
 *
 * @throws {ResourceLimitError} when the document's budget is used up
 */
export function decodeBeginning(graph: FilterGraph, stream: PdfStream, count: number): Uint8Array {
  // No filter makes what is this short more than four times as long as it was.
  const beginning = new PdfStream(stream.dictionary, stream.data.subarray(0, count * 4))
  const { bytes } = undoFilters(inflateBeginning, graph, beginning, defaultReadLimits)
  return bytes.subarray(0, count)
}

function undoFilters(
  inflateData: typeof inflate,
  graph: FilterGraph,
  stream: PdfStream,
  limits: StreamLimits,
): DecodedStream {
  const filters = filtersOf(graph, stream)
  const budget = graph.expansionBudget
  const maxBytes = Math.min(limits.maxStreamBytes, budget?.allowance(stream) ?? Infinity)

  let bytes = stream.data
  let damaged = false
  let expanded = 0
  for (const [index, filter] of filters.entries()) {
    const result = undo(inflateData, graph, filter, bytes, maxBytes)
    if (result === null) {
      const remainingFilters = filters.slice(index).map(({ name }) => name)
      return { bytes, remainingFilters, damaged }
    }
    bytes = result.bytes
    damaged ||= result.damaged
    expanded = Math.max(expanded, bytes.length)
  }
  budget?.charge(stream, expanded)
  return { bytes, remainingFilters: [], damaged }
}

export interface StreamFilter {
  /** In full, also where the file has an abbreviation (table 92). */
  readonly name: string
  readonly parameters: PdfDictionary | null
}

/** The stream's filters in the order in which they are undone. */
export function filtersOf(graph: Pick<ObjectGraph, 'resolve'>, stream: PdfStream): StreamFilter[] {
  const { dictionary } = stream
  const filter = graph.resolve(dictionary.get('Filter') ?? dictionary.get('F'))
  const parameters = graph.resolve(dictionary.get('DecodeParms') ?? dictionary.get('DP'))

  const names = Array.isArray(filter) ? filter : [filter]
  const parameterList = Array.isArray(parameters) ? parameters : [parameters]
  const filters: StreamFilter[] = []
  for (const [index, entry] of names.slice(0, MAX_FILTERS).entries()) {
    const name = graph.resolve(entry)
    if (!(name instanceof PdfName)) continue
    const own = graph.resolve(parameterList[index])
    filters.push({
      name: abbreviations[name.value] ?? name.value,
      parameters: own instanceof PdfDictionary ? own : null,
    })
  }
  return filters
}

/** More than any writer chains; each one may expand. */
const MAX_FILTERS = 32

/** ISO 32000-2, table 92: meant for inline images, met in streams too. */
const abbreviations: Readonly<Partial<Record<string, string>>> = {
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
}

/** Whether ISO 32000-2, table 6, has it, or its extension for Brotli. */
export function isFilterName(name: string): boolean {
  return filterNames.has(name)
}

const filterNames: ReadonlySet<string> = new Set([
  'ASCII85Decode',
  'ASCIIHexDecode',
  'BrotliDecode',
  'CCITTFaxDecode',
  'Crypt',
  'DCTDecode',
  'FlateDecode',
  'JBIG2Decode',
  'JPXDecode',
  'LZWDecode',
  'RunLengthDecode',
])

function undo(
  inflateData: typeof inflate,
  graph: FilterGraph,
  filter: StreamFilter,
  bytes: Uint8Array,
  maxBytes: number,
): Undone | null {
  const parameter = (key: string): PdfObject => graph.resolve(filter.parameters?.get(key))
  switch (filter.name) {
    case 'FlateDecode':
      return undoPredictor(limited(inflateData(bytes, maxBytes), maxBytes), parameter)
    case 'LZWDecode': {
      const earlyChange = parameter('EarlyChange') !== 0
      return undoPredictor(limited(decodeLzw(bytes, earlyChange, maxBytes), maxBytes), parameter)
    }
    case 'ASCII85Decode':
      return limited(decodeAscii85(bytes, maxBytes), maxBytes)
    case 'ASCIIHexDecode':
      return limited(decodeAsciiHex(bytes), maxBytes)
    case 'RunLengthDecode':
      return limited(decodeRunLength(bytes, maxBytes), maxBytes)
    case 'Crypt': {
      // 7.4.10: the identity filter leaves the data as it is.
      const name = parameter('Name')
      return name === null || (name instanceof PdfName && name.value === 'Identity')
        ? { bytes, damaged: false }
        : null
    }
    default:
      return null
  }
}

function limited(undone: Undone | null, maxBytes: number): Undone {
  if (undone === null || undone.bytes.length > maxBytes) {
    throw new ResourceLimitError(`A stream expands to more than ${maxBytes} bytes`)
  }
  return undone
}
