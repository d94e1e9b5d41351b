import {
  bytesNeeded,
  type SectionContent,
  streamSection,
  tableSection,
  WrittenEntries,
  type WrittenSection,
} from './cross-reference-writing.ts'
import {
  fileHeader,
  FileSink,
  fileTail,
  lengthOfIndirect,
  type StreamContent,
} from './file-sink.ts'
import { type Hints, hintStream } from './hint-stream.ts'
import { type LinearizedNumbers, linearizedNumbers } from './linearized-numbers.ts'
import { linearizedParts, type LinearizedParts } from './linearized-parts.ts'
import { objectStream } from './object-stream-packing.ts'
import type { WrittenDocument } from './written-document.ts'

/**
 * The document as a linearized file (ISO 32000-2, Annex F).
 *
 * @throws {NotLinearizableError}
 */
export function linearizedFile(
  document: WrittenDocument,
  options: { readonly objectStreams: boolean; readonly version: string },
): Uint8Array {
  const parts = linearizedParts(document, options.objectStreams)
  const numbers = linearizedNumbers(document, parts, options.objectStreams)
  const bodies = writeBodies(document, parts, numbers)
  const header = fileHeader(options.version)
  const firstSectionAt = header.length + parametersLength
  const { layout, hints, hintLength, sections, first } = settle(
    document,
    parts,
    numbers,
    bodies,
    firstSectionAt,
  )

  const main = sections.writeMain()
  const sink = new FileSink(document.objects, numbers.objects)
  const writeUnits = (list: readonly number[]): void => {
    for (const unit of list) {
      const stream = bodies.streams[unit]
      if (stream) sink.writeStream(numbers.units[unit] ?? 0, stream)
      else sink.writeObject(parts.units[unit]?.members[0] ?? 0)
    }
  }
  sink.write(header)
  sink.write(
    parametersObject(numbers, document, {
      fileLength: sections.mainAt + main.text.length + fileTail(firstSectionAt).length,
      hintAt: layout.hintAt,
      hintLength,
      firstPageEnd: layout.firstPageEnd + hintLength,
      beforeFirstEntry: sections.mainAt + main.beforeFirstEntry,
    }),
  )
  sink.writeWithIdentifier(first)
  writeUnits(parts.opening)
  sink.writeStream(numbers.hint, hints)
  for (const list of listsAfterHints(parts)) writeUnits(list)
  sink.writeWithIdentifier(main.text)
  sink.write(fileTail(firstSectionAt))
  return sink.finish()
}

interface Settled {
  readonly layout: Layout
  readonly hints: StreamContent
  readonly hintLength: number
  readonly sections: Sections
  readonly first: string
}

/**
 * Finds a length for the first section in which it fits: all offsets after it depend on its length, and the length of
 * a compressed section on the offsets. Each try reserves more than the one before, up to what any offsets would take.
 */
function settle(
  document: WrittenDocument,
  parts: LinearizedParts,
  numbers: LinearizedNumbers,
  bodies: Bodies,
  firstSectionAt: number,
): Settled {
  const roughly = layOut(bodies, parts, firstSectionAt)
  let first = sectionsOf(document, numbers, parts, roughly, firstSectionAt, 0).writeFirst(0)
  for (;;) {
    const reserved = first.length + (numbers.firstSection === null ? 0 : slack)
    const layout = layOut(bodies, parts, firstSectionAt + reserved)
    const hints = hintStream(describe(parts, numbers, bodies, layout))
    const hintLength = lengthOfIndirect(numbers.hint, hints.text.length, hints.data)
    const sections = sectionsOf(document, numbers, parts, layout, firstSectionAt, hintLength)
    first = sections.writeFirst(reserved)
    if (first.length <= reserved) return { layout, hints, hintLength, sections, first }
  }
}

/** Room for the compressed first section to grow by when its offsets move. */
const slack = 16

/** By index of the unit. */
interface Bodies {
  /** What `N 0 obj … endobj` takes; bytes. */
  readonly lengths: Float64Array
  /** The object streams; where there is none, the unit is one object of the document. */
  readonly streams: readonly (StreamContent | undefined)[]
}

function writeBodies(
  { objects }: WrittenDocument,
  { units }: LinearizedParts,
  numbers: LinearizedNumbers,
): Bodies {
  const lengths = new Float64Array(units.length)
  const streams: StreamContent[] = []
  for (const [index, { members, packed }] of units.entries()) {
    const number = numbers.units[index] ?? 0
    const [only = 0] = members
    if (packed) {
      const stream = objectStream(objects, members, numbers.objects)
      streams[index] = stream
      lengths[index] = lengthOfIndirect(number, stream.text.length, stream.data)
    } else {
      const textLength = objects.lengthOf(only, numbers.objects)
      lengths[index] = lengthOfIndirect(number, textLength, objects.data[only] ?? null)
    }
  }
  return { lengths, streams }
}

function listsAfterHints(parts: LinearizedParts): (readonly number[])[] {
  return [parts.firstPage, ...parts.otherPages, parts.shared, parts.rest]
}

/** Offsets as if the hint stream were not there, which is how the hint tables themselves count (F.4.1). */
interface Layout {
  /** By index of the unit. */
  readonly offsets: Float64Array
  readonly hintAt: number
  readonly firstPageEnd: number
  readonly end: number
}

function layOut({ lengths }: Bodies, parts: LinearizedParts, start: number): Layout {
  const offsets = new Float64Array(lengths.length)
  let offset = start
  const place = (units: readonly number[]): number => {
    for (const unit of units) {
      offsets[unit] = offset
      offset += lengths[unit] ?? 0
    }
    return offset
  }
  const hintAt = place(parts.opening)
  const firstPageEnd = place(parts.firstPage)
  for (const units of parts.otherPages) place(units)
  place(parts.shared)
  const end = place(parts.rest)
  return { offsets, hintAt, firstPageEnd, end }
}

function describe(
  parts: LinearizedParts,
  numbers: LinearizedNumbers,
  bodies: Bodies,
  layout: Layout,
): Hints {
  const lengthOf = (unit: number): number => bodies.lengths[unit] ?? 0
  const lengthOfUnits = (units: readonly number[]): number =>
    units.reduce((sum, unit) => sum + lengthOf(unit), 0)
  const locate = (unit: number | undefined) =>
    unit === undefined
      ? null
      : { number: numbers.units[unit] ?? 0, offset: layout.offsets[unit] ?? 0 }

  const outlines = locate(parts.outlines[0])
  return {
    firstPageOffset: locate(parts.firstPage[0])?.offset ?? 0,
    pages: [parts.firstPage, ...parts.otherPages].map((units, page) => ({
      objects: units.length,
      length: lengthOfUnits(units),
      // F.4.2, item 3: the first page names no shared objects, for all of its section is the reader's anyway.
      shared: page === 0 ? [] : (parts.sharedByPage[page - 1] ?? []),
    })),
    sharedLengths: [...parts.firstPage, ...parts.shared].map(lengthOf),
    sharedOnFirstPage: parts.firstPage.length,
    firstShared: locate(parts.shared[0]),
    outlines: outlines
      ? {
          firstNumber: outlines.number,
          offset: outlines.offset,
          objects: parts.outlines.length,
          length: lengthOfUnits(parts.outlines),
        }
      : null,
  }
}

interface Sections {
  readonly mainAt: number
  /** @param reserved the length to fill, if it takes no more; 0 for what it takes */
  writeFirst(reserved: number): string
  writeMain(): WrittenSection
}

function sectionsOf(
  document: WrittenDocument,
  numbers: LinearizedNumbers,
  { units }: LinearizedParts,
  layout: Layout,
  firstSectionAt: number,
  hintLength: number,
): Sections {
  const mainAt = layout.end + hintLength
  const entries = new WrittenEntries(numbers.end)
  for (const [index, { members, packed }] of units.entries()) {
    const number = numbers.units[index] ?? 0
    const offset = layout.offsets[index] ?? 0
    entries.setOffset(number, offset < layout.hintAt ? offset : offset + hintLength)
    if (!packed) continue
    for (const [place, member] of members.entries()) {
      entries.setCompressed(numbers.objects[member] ?? 0, number, place)
    }
  }
  entries.setOffset(numbers.parameters, firstSectionAt - parametersLength)
  entries.setOffset(numbers.hint, layout.hintAt)
  if (numbers.firstSection !== null) entries.setOffset(numbers.firstSection, firstSectionAt)
  if (numbers.mainSection !== null) entries.setOffset(numbers.mainSection, mainAt)

  const trailer = {
    root: numbers.objects[document.root] ?? 0,
    info: document.info === null ? null : (numbers.objects[document.info] ?? 0),
  }
  const offsetBytes = bytesNeeded(Math.max(mainAt, numbers.end))
  const write = (content: SectionContent, number: number | null, length: number): WrittenSection =>
    number === null ? tableSection(content) : streamSection(content, number, offsetBytes, length)

  return {
    mainAt,
    writeFirst(reserved) {
      const content = {
        ...trailer,
        entries,
        first: numbers.parameters,
        end: numbers.end,
        size: numbers.end,
        previous: mainAt,
      }
      // F.3.4: this startxref has no meaning; the one at the end of the file leads here.
      const tail = fileTail(0)
      return write(content, numbers.firstSection, reserved - tail.length).text + tail
    },
    writeMain() {
      const content = {
        ...trailer,
        entries,
        first: 0,
        end: numbers.parameters,
        size: numbers.parameters,
        previous: null,
      }
      return write(content, numbers.mainSection, 0)
    },
  }
}

/** F.3.2, table F.1. Numbers have a fixed width: the file's layout must not depend on them. */
function parametersObject(
  numbers: LinearizedNumbers,
  document: WrittenDocument,
  values: {
    fileLength: number
    hintAt: number
    hintLength: number
    firstPageEnd: number
    beforeFirstEntry: number
  },
): string {
  const firstPage = document.pages[0]?.index ?? 0
  const entries =
    `/Linearized 1/L ${values.fileLength}/H[ ${values.hintAt} ${values.hintLength}]` +
    `/O ${numbers.objects[firstPage] ?? 0}/E ${values.firstPageEnd}` +
    `/N ${document.pages.length}/T ${values.beforeFirstEntry}`
  const text = `${numbers.parameters} 0 obj\n<<${entries}`
  const end = '>>\nendobj\n'
  return text.padEnd(parametersLength - end.length) + end
}

/** Seven numbers of ten digits, the object's own, and what stands around them. */
const parametersLength = 160
