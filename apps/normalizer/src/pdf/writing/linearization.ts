import {
  bytesNeeded,
  type SectionContent,
  streamSection,
  tableSection,
  type WrittenEntry,
  type WrittenSection,
} from './cross-reference-writing.ts'
import { fileHeader, FileSink, fileTail, indirectObject } from './file-sink.ts'
import { type Hints, hintStream } from './hint-stream.ts'
import { type LinearizedNumbers, linearizedNumbers } from './linearized-numbers.ts'
import { linearizedParts, type LinearizedParts, type Unit } from './linearized-parts.ts'
import { objectStream } from './object-stream-packing.ts'
import { fillIn } from './serialize.ts'
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
  const { layout, hintObject, sections, first } = settle(
    document,
    parts,
    numbers,
    bodies,
    firstSectionAt,
  )

  const main = sections.writeMain()
  const hintLength = lengthOf(hintObject)
  const sink = new FileSink()
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
  for (const unit of parts.opening) writeAll(sink, bodies.get(unit))
  for (const part of hintObject) sink.write(part)
  for (const unit of unitsAfterHints(parts)) writeAll(sink, bodies.get(unit))
  sink.writeWithIdentifier(main.text)
  sink.write(fileTail(firstSectionAt))
  return sink.finish()
}

interface Settled {
  readonly layout: Layout
  readonly hintObject: readonly (string | Uint8Array)[]
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
  let first = sectionsOf(document, numbers, roughly, firstSectionAt, 0).writeFirst(0)
  for (;;) {
    const reserved = first.length + (numbers.firstSection === null ? 0 : slack)
    const layout = layOut(bodies, parts, firstSectionAt + reserved)
    const hints = hintStream(describe(parts, numbers, bodies, layout))
    const hintObject = indirectObject(numbers.hint, hints.text, hints.data)
    const sections = sectionsOf(document, numbers, layout, firstSectionAt, lengthOf(hintObject))
    first = sections.writeFirst(reserved)
    if (first.length <= reserved) return { layout, hintObject, sections, first }
  }
}

/** Room for the compressed first section to grow by when its offsets move. */
const slack = 16

type Bodies = ReadonlyMap<Unit, readonly (string | Uint8Array)[]>

function writeBodies(
  document: WrittenDocument,
  parts: LinearizedParts,
  numbers: LinearizedNumbers,
): Bodies {
  const numberOf = (index: number): number => numbers.objects[index] ?? 0
  const bodies = new Map<Unit, readonly (string | Uint8Array)[]>()
  for (const unit of [...parts.opening, ...unitsAfterHints(parts)]) {
    const members = unit.members.map((index) => {
      const object = document.objects[index]
      if (!object) throw new RangeError(`no object ${index}`)
      return { number: numberOf(index), text: fillIn(object.spelling, numberOf), data: object.data }
    })
    const [only] = members
    const content = unit.packed ? objectStream(members) : only
    if (!content) throw new RangeError('a unit without members')
    bodies.set(unit, indirectObject(numbers.units.get(unit) ?? 0, content.text, content.data))
  }
  return bodies
}

function unitsAfterHints(parts: LinearizedParts): Unit[] {
  return [...parts.firstPage, ...parts.otherPages.flat(), ...parts.shared, ...parts.rest]
}

/** Offsets as if the hint stream were not there, which is how the hint tables themselves count (F.4.1). */
interface Layout {
  readonly offsets: ReadonlyMap<Unit, number>
  readonly hintAt: number
  readonly firstPageEnd: number
  readonly end: number
}

function layOut(bodies: Bodies, parts: LinearizedParts, start: number): Layout {
  const offsets = new Map<Unit, number>()
  let offset = start
  const place = (units: readonly Unit[]): number => {
    for (const unit of units) {
      offsets.set(unit, offset)
      offset += lengthOf(bodies.get(unit))
    }
    return offset
  }
  const hintAt = place(parts.opening)
  const firstPageEnd = place(parts.firstPage)
  const end = place([...parts.otherPages.flat(), ...parts.shared, ...parts.rest])
  return { offsets, hintAt, firstPageEnd, end }
}

function describe(
  parts: LinearizedParts,
  numbers: LinearizedNumbers,
  bodies: Bodies,
  layout: Layout,
): Hints {
  const lengthOfUnits = (units: readonly Unit[]): number =>
    units.reduce((sum, unit) => sum + lengthOf(bodies.get(unit)), 0)
  const locate = (unit: Unit | undefined) =>
    unit && { number: numbers.units.get(unit) ?? 0, offset: layout.offsets.get(unit) ?? 0 }

  const outlines = locate(parts.outlines[0])
  return {
    firstPageOffset: locate(parts.firstPage[0])?.offset ?? 0,
    pages: [parts.firstPage, ...parts.otherPages].map((units, page) => ({
      objects: units.length,
      length: lengthOfUnits(units),
      // F.4.2, item 3: the first page names no shared objects, for all of its section is the reader's anyway.
      shared: page === 0 ? [] : (parts.sharedByPage[page - 1] ?? []),
    })),
    sharedLengths: [...parts.firstPage, ...parts.shared].map((unit) => lengthOf(bodies.get(unit))),
    sharedOnFirstPage: parts.firstPage.length,
    firstShared: locate(parts.shared[0]) ?? null,
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
  layout: Layout,
  firstSectionAt: number,
  hintLength: number,
): Sections {
  const mainAt = layout.end + hintLength
  const entries: WrittenEntry[] = [{ offset: 0 }]
  for (const [unit, number] of numbers.units) {
    const offset = layout.offsets.get(unit) ?? 0
    entries[number] = { offset: offset < layout.hintAt ? offset : offset + hintLength }
    if (!unit.packed) continue
    for (const [index, member] of unit.members.entries()) {
      entries[numbers.objects[member] ?? 0] = { objectStream: number, index }
    }
  }
  entries[numbers.parameters] = { offset: firstSectionAt - parametersLength }
  entries[numbers.hint] = { offset: layout.hintAt }
  if (numbers.firstSection !== null) entries[numbers.firstSection] = { offset: firstSectionAt }
  if (numbers.mainSection !== null) entries[numbers.mainSection] = { offset: mainAt }

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
        first: numbers.parameters,
        entries: entries.slice(numbers.parameters),
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
        first: 0,
        entries: entries.slice(0, numbers.parameters),
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
  const [firstPage = 0] = document.pages
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

function writeAll(sink: FileSink, parts: readonly (string | Uint8Array)[] | undefined): void {
  for (const part of parts ?? []) sink.write(part)
}

function lengthOf(parts: readonly (string | Uint8Array)[] | undefined): number {
  return (parts ?? []).reduce((sum, part) => sum + part.length, 0)
}
