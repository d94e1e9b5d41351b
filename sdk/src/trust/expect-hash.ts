import { hexOf } from '../encoding.ts'
import { VerificationError } from '../error/verification-error.ts'
import { chunksOf, openPdf, type PdfSource } from '../transfer/pdf-source.ts'
import { readable } from '../transfer/readable.ts'
import { nodeSha256 } from '../transfer/sha256.ts'

/**
 * @param certified the SHA-256 that the file must have
 * @param what names the document that says so
 * @throws {VerificationError} HASH_MISMATCH
 */
export async function expectHash(pdf: PdfSource, certified: string, what: string): Promise<void> {
  const actual = await sha256Of(chunksOf(await openPdf(pdf)))
  if (actual === certified) return
  throw new VerificationError(
    'HASH_MISMATCH',
    `The ${what} is about the file ${certified}, and this is ${actual}`,
  )
}

async function sha256Of(chunks: AsyncGenerator<Uint8Array>): Promise<string> {
  const digest = nodeSha256()
  if (digest === null) {
    const bytes = await new Response(readable(chunks)).arrayBuffer()
    return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  }
  for await (const chunk of chunks) digest.update(chunk)
  return digest.hex()
}
