import { createHash } from 'node:crypto'
import { smallPdf } from '../bench/small-pdf.ts'
import { encryptedPdf, pdf, pdfWithJavascript } from '../test/pdf.ts'
import type { Dice } from './dice.ts'

/** A document and what has to become of it. */
export interface TortureDocument {
  bytes: Uint8Array<ArrayBuffer>
  sha256: string
  end: 'SUCCESS' | 'REJECTED' | 'FAILED'
  /** The failure's code; null for a success. */
  code: string | null
}

/** Over the limit up to which the tortured service works while its caller waits. */
export const asyncBytes = 64 * 1024

/**
 * One document of those that customers have.
 *
 * @param number makes its text its own
 */
export function drawDocument(dice: Dice, number: number): TortureDocument {
  const text = `document ${number}`
  const sort = dice.between(1, 100)
  if (sort <= 35) return normal(pdf({ text }))
  // The same for several organizations: they share the artifact.
  if (sort <= 50) return normal(pdf({ text: `shared ${dice.between(1, 12)}` }))
  if (sort <= 60) return normal(pdfWithJavascript(text))
  if (sort <= 65) return normal(smallPdf(number))
  // Long enough under way for a fault to meet it.
  if (sort <= 72) return normal(smallPdf(number, 1000))
  if (sort <= 85) return normal(pdf({ text, paddingBytes: asyncBytes + dice.between(0, 500_000) }))
  if (sort <= 92) return document(encryptedPdf(text), 'REJECTED', 'ENCRYPTED_PDF')
  return document(Buffer.from(`%PDF-1.7\n${text}, and no more`), 'FAILED', 'MALFORMED_PDF')
}

/** Larger than the free plan takes. */
export function oversizeDocument(number: number, maxBytes: number): TortureDocument {
  const bytes = pdf({ text: `document ${number}`, paddingBytes: maxBytes })
  return document(bytes, 'REJECTED', 'FILE_TOO_LARGE')
}

function normal(bytes: Uint8Array<ArrayBuffer>): TortureDocument {
  return document(bytes, 'SUCCESS', null)
}

function document(
  bytes: Uint8Array<ArrayBuffer>,
  end: TortureDocument['end'],
  code: string | null,
): TortureDocument {
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), end, code }
}
