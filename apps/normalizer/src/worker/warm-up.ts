import { normalize } from '../normalize.ts'

/**
 * Takes one document through the pipeline before the first real one comes: what a new process has to compile and load
 * is no document's time, also in a worker that replaces another.
 */
export async function warmUp(): Promise<void> {
  await normalize(Buffer.from(smallDocument, 'latin1'))
  // Loaded when they are needed otherwise: some 50 ms, a twelfth of the start. The rules of PDF/A take three times as long,
  // which only the first document that claims to be PDF/A pays.
  await import('../signature/verify-signatures.ts')
}

const smallDocument = `%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>> endobj
4 0 obj <</Length 23>> stream
BT /F 9 Tf (warm) Tj ET
endstream endobj
5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
trailer <</Root 1 0 R>>
`
