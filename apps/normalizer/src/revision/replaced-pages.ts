import type { PdfDictionary } from '../pdf/object.ts'
import { listPages, type PdfPage } from '../pdf/page-tree.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { contentParts } from './page-changes.ts'
import { type RevisionPair, revisionPair, stateOf } from './revision-pair.ts'

/** How many of the pages that painted something are gone or paint something else; an edited page keeps most of it. */
export function replacedPages(before: PdfFile, after: PdfFile): { replaced: number; of: number } {
  const pair = revisionPair(stateOf(before, after), { file: after, graph: after.graph })
  const later = new Map(listPages(pair.after).map((page, index) => [keyOf(page, index), page]))
  let replaced = 0
  let of = 0
  for (const [index, page] of listPages(pair.before).entries()) {
    const now = later.get(keyOf(page, index))
    if (now !== undefined && hasSameStreams(pair, page.dictionary, now.dictionary)) {
      of++
      continue
    }
    const content = Buffer.concat(contentParts(pair.before, page.dictionary) ?? [])
    if (content.length < sampleBytes) continue
    of++
    const parts = now === undefined ? null : contentParts(pair.after, now.dictionary)
    if (parts === null || !isKept(content, Buffer.concat(parts))) replaced++
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

const samples = 16
const sampleBytes = 24

/** Whether most of a content is found in another one; looked at in samples. */
function isKept(content: Buffer, later: Buffer): boolean {
  if (content.equals(later)) return true
  const step = Math.floor((content.length - sampleBytes) / (samples - 1))
  let found = 0
  for (let index = 0; index < samples; index++) {
    const start = index * step
    if (later.includes(content.subarray(start, start + sampleBytes))) found++
    if (found * 2 >= samples) return true
  }
  return false
}
