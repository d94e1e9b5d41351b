import type { PdfDictionary } from '../pdf/object.ts'
import { listPages, type PdfPage } from '../pdf/page-tree.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { contentParts } from './page-changes.ts'
import { type RevisionPair, revisionPair } from './revision-pair.ts'

/** How many of the pages that painted something are gone or paint something else; an edited page keeps most of it. */
export function replacedPages(before: PdfFile, after: PdfFile): { replaced: number; of: number } {
  const pair = revisionPair(before, after)
  const later = new Map(listPages(pair.after).map((page, index) => [keyOf(page, index), page]))
  let replaced = 0
  let of = 0
  for (const [index, page] of listPages(pair.before).entries()) {
    const now = later.get(keyOf(page, index))
    if (now !== undefined && hasSameStreams(pair, page.dictionary, now.dictionary)) {
      of++
      continue
    }
    const lines = linesOf(contentParts(pair.before, page.dictionary))
    if (lines.size === 0) continue
    of++
    const kept = now === undefined ? null : linesOf(contentParts(pair.after, now.dictionary))
    if (kept === null || share(lines, kept) < 0.5) replaced++
  }
  return { replaced, of }
}

function keyOf({ reference }: PdfPage, index: number): string {
  return reference === null ? `direct ${index}` : String(reference.number)
}

/** What updates did not touch is the same object on both sides. */
function hasSameStreams(pair: RevisionPair, before: PdfDictionary, after: PdfDictionary): boolean {
  const [left, right] = [before.get('Contents'), after.get('Contents')]
  const earlier = pair.before.resolve(left)
  const later = pair.after.resolve(right)
  if (!Array.isArray(earlier) || !Array.isArray(later)) return earlier === later
  return (
    earlier.length === later.length &&
    earlier.every((item, index) => pair.before.resolve(item) === pair.after.resolve(later[index]))
  )
}

/** Of a page's content; more of it would not change whether most of it is kept. */
const maxComparedBytes = 4 * 1024 * 1024

function linesOf(parts: readonly Uint8Array[] | null): Set<string> {
  const content = Buffer.concat(parts ?? []).subarray(0, maxComparedBytes)
  const lines = content.toString('latin1').split(/[\r\n]+/)
  return new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))
}

function share(lines: ReadonlySet<string>, kept: ReadonlySet<string>): number {
  let found = 0
  for (const line of lines) if (kept.has(line)) found++
  return found / lines.size
}
