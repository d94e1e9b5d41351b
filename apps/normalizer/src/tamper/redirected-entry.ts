import { readObjectHeader } from '../pdf/reading/indirect-object.ts'
import { isName, PdfDictionary, PdfStream, type PdfObject } from '../pdf/object.ts'
import type { CrossReferenceEntry, CrossReferenceSection, PdfFile } from '../pdf/pdf-file.ts'

/**
 * A cross-reference entry whose offset holds a whole other object (XREF_MISMATCH): a reader that does not look at the
 * number takes that for the one that the entry names.
 */
export interface RedirectedEntry {
  readonly number: number
  readonly entry: CrossReferenceEntry & { readonly kind: 'offset' }
  readonly section: CrossReferenceSection
  /** Whether the object is something that pages show. */
  readonly drawable: boolean
}

/**
 * Entries that look redirected on purpose. A section most of whose entries are wrong was broken by a tool that counted
 * badly, and an entry that leads to no object at all shows nobody anything.
 */
export function redirectedEntries(file: PdfFile): RedirectedEntry[] {
  const wrongIn = new Map<CrossReferenceSection, number>()
  for (const { section } of file.repairs.mismatchedEntries) {
    wrongIn.set(section, (wrongIn.get(section) ?? 0) + 1)
  }

  const redirected: RedirectedEntry[] = []
  for (const { number, entry, section } of file.repairs.mismatchedEntries) {
    if (entry.kind !== 'offset' || isMiscounted(section, wrongIn.get(section) ?? 0)) continue
    const header = readObjectHeader(file.bytes, entry.offset)
    if (header === null || header.number === number) continue
    redirected.push({ number, entry, section, drawable: isDrawable(file, number, header.number) })
  }
  return redirected
}

/** Fewer wrong entries than this may be meant. */
const fewestMiscounted = 3

function isMiscounted({ entries }: CrossReferenceSection, wrong: number): boolean {
  if (wrong < fewestMiscounted) return false
  const inUse = [...entries.values()].filter(({ kind }) => kind === 'offset').length
  return wrong * 2 > inUse
}

function isDrawable(file: PdfFile, number: number, shownInstead: number): boolean {
  return [number, shownInstead].some((candidate) => isShown(file.graph.get(candidate)))
}

const shownTypes = ['Page', 'XObject', 'Font', 'FontDescriptor', 'Annot', 'Pattern']
const hiddenTypes = ['Metadata', 'XRef', 'ObjStm', 'EmbeddedFile']

function isShown(object: PdfObject): boolean {
  const isStream = object instanceof PdfStream
  const dictionary = isStream ? object.dictionary : object
  if (!(dictionary instanceof PdfDictionary)) return false
  const type = dictionary.get('Type')
  if (isStream) return !hiddenTypes.some((hidden) => isName(type, hidden))
  return shownTypes.some((shown) => isName(type, shown))
}
