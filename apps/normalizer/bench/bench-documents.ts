import { corpusFiles, readCorpusFile } from '../test/corpus-files.ts'
import { addOutlines, pageDocument } from '../test/page-document.ts'
import { writePdf } from '../src/pdf/writing/writer.ts'

export interface BenchDocument {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * Ordinary documents: real files of the corpus beside the repository, those first that were taken as they came; files
 * that were made to break or to attack are left out, as are signed and encrypted ones, which end early. Without the
 * corpus, documents built here.
 */
export function benchDocuments(limit: number): { source: string; documents: BenchDocument[] } {
  const ordinary = corpusFiles.filter(
    ({ category, opens_in_qpdf, encrypted, pages }) =>
      opens_in_qpdf === true && !encrypted && (pages ?? 0) > 0 && ordinaryKinds.includes(category),
  )
  if (ordinary.length === 0) return { source: 'built in code', documents: builtDocuments() }

  const sorted = ordinary.toSorted(
    (one, other) => ordinaryKinds.indexOf(one.category) - ordinaryKinds.indexOf(other.category),
  )
  const documents = sorted
    .slice(0, limit)
    .map((entry) => ({ name: entry.file, bytes: readCorpusFile(entry) }))
  return { source: 'the corpus', documents }
}

const ordinaryKinds = [
  'real',
  'large',
  'image-only',
  'non-embedded-fonts',
  'annotations',
  'acroform',
  'incremental-updates',
  'embedded-files',
  'openaction',
  'javascript',
  'pdfa-pass',
]

function builtDocuments(): BenchDocument[] {
  return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].flatMap((pages) =>
    [false, true].map((withOutlines) => ({
      name: `${pages} pages${withOutlines ? ' with outlines' : ''}`,
      bytes: writePdf(pageDocument(pages, withOutlines ? addOutlines : undefined), {
        linearize: false,
        objectStreams: withOutlines,
        version: '1.7',
      }),
    })),
  )
}
