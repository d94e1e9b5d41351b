import { documentCatalog } from '../pdf/catalog.ts'
import { isOddPageKey } from '../pdf/mend-page-tree.ts'
import { PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../pdf/object.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { skipWhiteSpace, standsAt } from '../pdf/reading/character-set.ts'
import { readObjectHeader } from '../pdf/reading/indirect-object.ts'
import { walkDirect } from '../pdf/walk-direct.ts'
import type { Confusion } from './confusion.ts'
import { objectLocation } from './object-location.ts'
import { isShown } from './shown-object.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/** Catalogs, page trees and pages that readers take for different ones (rule S3). */
export function pageConfusion(evidence: TamperEvidence): Confusion[] {
  return [
    ...repeatedKeys(evidence),
    ...overfullObjects(evidence),
    ...pages(evidence),
    ...count(evidence),
  ]
}

/** The first or the last of them counts, depending on the reader. */
function repeatedKeys({ file, parts, repeatedKeys: numbers }: TamperEvidence): Confusion[] {
  const { graph } = file
  const tell = (number: number, page: number | null, grave: boolean): Confusion[] =>
    at(file, number, page, 'A dictionary has one key twice with different values.', grave)
  const ofPages = new Map([
    ...[...parts.resources].map((number): [number, null] => [number, null]),
    ...parts.structure,
  ])
  return [
    ...[...ofPages].flatMap(([number, page]) => {
      const repeated = repetitionIn(graph.get(number), parts.resources.has(number))
      return repeated === null ? [] : tell(number, page, repeated === 'shows')
    }),
    ...numbers.flatMap((number) => {
      const stream = graph.get(number)
      if (!(stream instanceof PdfStream)) return []
      return tell(number, parts.streams.get(number) ?? null, isShown(stream))
    }),
  ]
}

/** Whether a key that decides what is shown stands twice in it or in the resources that it holds directly, or another. */
function repetitionIn(object: PdfObject, isResources: boolean): 'shows' | 'other' | null {
  if (!(object instanceof PdfDictionary)) return null
  let shows = false
  walkDirect(isResources ? object : (object.get('Resources') ?? null), (held) => {
    shows ||= held instanceof PdfDictionary && held.duplicateKeys !== undefined
  })
  const own = object.duplicateKeys
  if (shows || (own !== undefined && !own.isDisjointFrom(showingKeys))) return 'shows'
  return own === undefined ? null : 'other'
}

/** Of catalogs, page tree nodes and pages (ISO 32000-2, tables 29 to 31). Writers repeat others, such as /OpenAction. */
const showingKeys: ReadonlySet<string> = new Set(
  (
    'Type Pages AcroForm OCProperties Kids Count Parent Resources MediaBox CropBox Rotate UserUnit ' +
    'Contents Annots Group'
  ).split(' '),
)

/** Something stands between the value of an object and its end, where only some readers stop. */
function overfullObjects({ file, parts }: TamperEvidence): Confusion[] {
  const found: Confusion[] = []
  const shown = [...parts.structure, ...parts.streams]
  for (const [number, page] of shown) {
    const provenance = file.provenance(number)
    if (provenance?.kind !== 'offset') continue
    const { bytes } = file
    if (standsAt(bytes, provenance.end - 6, 'endobj')) continue
    const next = skipWhiteSpace(bytes, provenance.end, bytes.length)
    if (bytes[next] === 0x25 || isOutside(bytes, next)) continue
    const misspelled = standsAt(bytes, provenance.end - 9, 'endstream') && next === provenance.end
    const description = 'Something stands between the value of an object and the end of the object.'
    found.push(...at(file, number, page, description, !misspelled))
  }
  return found
}

function isOutside(bytes: Uint8Array, position: number): boolean {
  if (position >= bytes.length || readObjectHeader(bytes, position) !== null) return true
  return ['endobj', 'xref', 'trailer', 'startxref'].some((word) => standsAt(bytes, position, word))
}

function pages({ file, pages: all, offsetsHold }: TamperEvidence): Confusion[] {
  const found: Confusion[] = []
  for (const [index, { dictionary, reference }] of all.entries()) {
    const tell = (description: string, grave: boolean): void => {
      found.push(...at(file, reference?.number ?? null, index + 1, description, grave))
    }
    if (!dictionary.has('Type')) tell('A page does not say that it is one.', false)
    if ([...dictionary.keys()].some(isOddPageKey)) {
      tell('A key of a page begins as a known one and goes on with other bytes.', true)
    }
    const contents = file.graph.resolve(dictionary.get('Contents'))
    if (Array.isArray(contents) && contents.some((part) => isNoReference(file, part))) {
      tell('The contents of a page hold something else than streams.', offsetsHold)
    }
  }
  return found
}

/** A number, an array within the array, what is left of a word that is no token. */
function isNoReference(file: PdfFile, part: PdfObject): boolean {
  return !(part instanceof PdfReference) || Array.isArray(file.graph.resolve(part))
}

/** Readers that believe `/Count` show no more pages than it says. */
function count({ file, pages: all }: TamperEvidence): Confusion[] {
  const reference = documentCatalog(file.graph).get('Pages')
  const root = file.graph.resolve(reference)
  const told = root instanceof PdfDictionary ? file.graph.resolve(root.get('Count')) : null
  if (typeof told !== 'number' || told < 0 || told >= all.length) return []
  const description = 'The page tree counts fewer pages than it has.'
  const number = reference instanceof PdfReference ? reference.number : null
  return at(file, number, null, description, false)
}

function at(
  file: PdfFile,
  number: number | null,
  page: number | null,
  description: string,
  grave: boolean,
): Confusion[] {
  const location = number === null ? null : objectLocation(file, number)
  if (location === null) return []
  return [{ ...location, ...(page !== null && { page }), description, grave }]
}
