import { characterClass, hexadecimalDigit, WHITE_SPACE } from '../pdf/reading/character-set.ts'
import { PdfString } from '../pdf/object.ts'
import { type SignedRange, signedRange } from '../signature/byte-range.ts'
import type { Anomaly } from './anomaly.ts'
import { confusionAnomaly } from './confusion.ts'
import { contentConfusion } from './content-confusion.ts'
import { coveredContent } from './covered-content.ts'
import { latentDocument } from './latent-document.ts'
import { objectConfusion } from './object-confusion.ts'
import { pageConfusion } from './page-confusion.ts'
import { sectionConfusion } from './section-confusion.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/**
 * Content that one reader, or the signer, does not see and another does: rules S3 (what readers disagree about), S4 and
 * S5 (what lies ready to be shown) and S6 (bytes between the signed parts that are not the signature).
 */
export function shadowContent(evidence: TamperEvidence): Anomaly[] {
  const confusions = [
    ...sectionConfusion(evidence),
    ...objectConfusion(evidence),
    ...pageConfusion(evidence),
    ...contentConfusion(evidence),
  ]
  return [
    ...redirected(evidence),
    ...confusions.map((confusion) => confusionAnomaly(confusion, evidence.signed)),
    ...latentDocument(evidence),
    ...coveredContent(evidence),
    ...unsignedGaps(evidence),
  ]
}

/** S3, XREF_MISMATCH. */
function redirected({ redirectedEntries, signed }: TamperEvidence): Anomaly[] {
  return redirectedEntries
    .filter(({ leadsToObject }) => leadsToObject)
    .map(({ number, entry, drawable }) => ({
      type: 'SHADOW_CONTENT_DETECTED',
      severity: !drawable ? 'low' : signed ? 'high' : 'medium',
      description: 'A cross-reference entry leads to another object than the one that it names.',
      location: {
        start: entry.offset,
        object: { number, generation: entry.generation },
        crossReferenceEntry: entry.entryOffset,
      },
    }))
}

/** S6: what lies in the gap is signed by nobody, so only the signature itself may lie there. */
function unsignedGaps({ file, signatureValues }: TamperEvidence): Anomaly[] {
  const anomalies: Anomaly[] = []
  for (const { dictionary, objectNumber: number } of signatureValues) {
    const range = signedRange(file, dictionary)
    const contents = file.graph.resolve(dictionary.get('Contents'))
    if (range === null || !(contents instanceof PdfString)) continue
    if (isHexadecimal(file.bytes, range, contents) || isStale(range, contents)) continue
    const object = number === null ? null : { number, generation: file.graph.generation(number) }
    anomalies.push({
      type: 'SHADOW_CONTENT_DETECTED',
      severity: 'critical',
      description: 'The bytes that a signature leaves out hold more than the signature.',
      location: { start: range.gapStart, end: range.gapEnd, ...(object && { object }) },
    })
  }
  return anomalies
}

/** Whether the gap is one hexadecimal string, with its brackets or inside of them, no longer than `/Contents`. */
function isHexadecimal(
  bytes: Uint8Array,
  { gapStart, gapEnd }: SignedRange,
  contents: PdfString,
): boolean {
  const opened = bytes[gapStart] === 0x3c
  const closed = bytes[gapEnd - 1] === 0x3e
  let digits = 0
  for (let at = gapStart + (opened ? 1 : 0); at < gapEnd - (closed ? 1 : 0); at++) {
    const byte = bytes[at] ?? 0
    if (hexadecimalDigit(byte) >= 0) digits++
    else if (characterClass[byte] !== WHITE_SPACE) return false
  }
  return Math.ceil(digits / 2) <= contents.bytes.length
}

/**
 * Whether the gap has the very length of `/Contents`, and so no room for more. If it holds something else all the same,
 * a program that knows nothing of signatures wrote the file anew, and the numbers of `/ByteRange` name whatever came to
 * lie there: a signature that is broken, and deceives nobody.
 */
function isStale({ gapStart, gapEnd }: SignedRange, contents: PdfString): boolean {
  const digits = 2 * contents.bytes.length
  const length = gapEnd - gapStart
  return length >= digits && length <= digits + 2
}
