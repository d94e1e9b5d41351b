import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { writePdf } from '../src/pdf/writing/writer.ts'
import type { Corpus } from '../test/corpus-files.ts'
import { buildPdf, onePage, stream } from '../test/fixture/build-pdf.ts'
import { signedFile, signedObjects, signatureValue, widget } from '../test/fixture/signed-file.ts'
import { makeCms, schemeOf } from '../test/fixture/signer.ts'
import { makeIdentity } from '../test/fixture/pki.ts'
import { addOutlines, pageDocument } from '../test/page-document.ts'
import type { Random } from './random.ts'

export interface FuzzSource {
  readonly name: string
  /** One character a byte. */
  readonly read: () => string
}

/** Small enough that a case takes milliseconds. */
const largestBytes = 200 * 1024

/** Files of the corpus, without those that were made to last long. */
export function sourcesOfCorpus(corpus: Corpus): FuzzSource[] {
  return corpus.files
    .filter((file) => !/bombs|large|not-a-pdf/.test(file.category))
    .map((file) => ({ name: file.file, read: () => textOf(corpus.read(file)) }))
}

/** Documents built here, of each way to write a file and with each thing that the stages look for. */
export async function builtSources(): Promise<FuzzSource[]> {
  const acting = {
    ...onePage(),
    1:
      '<< /Type /Catalog /Pages 2 0 R /OpenAction 6 0 R /AcroForm << /Fields [8 0 R] >> ' +
      '/Names << /JavaScript << /Names [(a) 6 0 R] >> /EmbeddedFiles << /Names [(f) 7 0 R] >> >> >>',
    3:
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [8 0 R] ' +
      '/Resources << /Font << /F1 5 0 R >> >> /AA << /O 6 0 R >> >>',
    6: '<< /S /JavaScript /JS (app.alert\\(1\\)) /Next << /S /Launch /F (calc.exe) >> >>',
    7: '<< /Type /Filespec /F (f) /EF << /F 9 0 R >> >>',
    8: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (t) /V (value) /Rect [9 9 99 30] /DA (/F1 9 Tf) >>',
    9: stream('attached', '/Type /EmbeddedFile'),
  }
  const files: Record<string, Uint8Array> = {
    'a table': buildPdf(),
    'a cross-reference stream': buildPdf({ crossReference: 'stream', compressed: [1, 2, 3] }),
    'a hybrid file': buildPdf({ crossReference: 'hybrid', compressed: [1, 2] }),
    'a linearized file': buildPdf({ linearized: true }),
    'a file with updates': buildPdf({
      updates: [{ objects: { 4: stream('BT /F1 9 Tf (Bye) Tj ET') } }, { freed: [5] }],
    }),
    'active content': buildPdf({ objects: acting }),
    'active content in an object stream': buildPdf({
      objects: acting,
      crossReference: 'stream',
      compressed: [1, 2, 3, 6, 7, 8],
    }),
    'pages with outlines': writePdf(pageDocument(12, addOutlines), {
      linearize: true,
      objectStreams: true,
      version: '1.7',
    }),
    ...(await signedFiles()),
  }
  return Object.entries(files).map(([name, bytes]) => ({ name, read: () => textOf(bytes) }))
}

async function signedFiles(): Promise<Record<string, Uint8Array>> {
  const filled = widget('/FT /Tx /T (Empty) /V (later)', '[72 200 272 220]', 21)
  const second = widget('/FT /Sig /T (Second) /V 14 0 R', '[300 100 500 150]', 23)
  const certification =
    '/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams ' +
    '<< /Type /TransformParams /P 2 /V /1.2 >> >>]'
  const objects = signedObjects()
  return {
    'a signed file': await signedFile({}, sign),
    'a signed file that was filled in': await signedFile(
      { updates: [{ objects: { 10: filled } }] },
      sign,
    ),
    'a file with two signatures': await signedFile(
      { updates: [{ objects: { 12: second, 14: signatureValue() } }] },
      sign,
    ),
    'a certified file with changes': await signedFile(
      {
        objects: {
          ...objects,
          1: '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /Perms << /DocMDP 9 0 R >> >>',
          9: signatureValue(certification),
        },
        updates: [
          { objects: { 10: filled } },
          { objects: { 4: stream('BT /F1 24 Tf 72 720 Td (The sum is 900) Tj ET') } },
        ],
      },
      sign,
    ),
  }
}

/** The key is always the same one, and so are its signatures: a case is the same in every run. */
function sign(signed: Uint8Array): Uint8Array {
  return makeCms(signer, signed, { scheme: schemeOf(signer, 'sha512') })
}

const privateKey = createPrivateKey({
  // PKCS #8 (RFC 8410, 7) of a key of zeros.
  key: Buffer.from(`302e020100300506032b657004220420${'00'.repeat(32)}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
})
const signer = makeIdentity({ keys: { privateKey, publicKey: createPublicKey(privateKey) } })

/** A source, every other time with its object streams taken apart, so that mutations reach what is in them. */
export function readSource({ read }: FuzzSource, random: Random): string {
  const file = read().slice(0, largestBytes)
  return random.chance(2) ? (takenApart(file) ?? file) : file
}

function takenApart(file: string): string | null {
  try {
    const { graph, encrypted } = readPdf(Buffer.from(file, 'latin1'))
    if (encrypted) return null
    return textOf(writePdf(graph, { linearize: false, objectStreams: false, version: '1.7' }))
  } catch {
    return null
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
