import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { writePdf } from '../src/pdf/writing/writer.ts'
import type { Corpus } from '../test/corpus-files.ts'
import { buildPdf, onePage, stream } from '../test/fixture/build-pdf.ts'
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
export function builtSources(): FuzzSource[] {
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
  }
  return Object.entries(files).map(([name, bytes]) => ({ name, read: () => textOf(bytes) }))
}

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
