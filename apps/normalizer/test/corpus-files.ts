import { existsSync, readFileSync } from 'node:fs'

/** A file of the corpus beside the repository, and what is known of it. */
export interface CorpusFile {
  readonly file: string
  readonly category: string
  readonly pages: number | null
  readonly opens_in_qpdf: boolean | null
  readonly qpdf_rc: number | null
  readonly encrypted: boolean
}

const folder = new URL('../../../../shared/corpus/', import.meta.url)

/** All files of the corpus; none where it does not exist. */
export const corpusFiles: readonly CorpusFile[] = readManifest()
export const withoutCorpus = corpusFiles.length > 0 ? '' : ' (skipped: the corpus is not there)'

/** Those that every reader opens: not encrypted, with pages. */
export const ordinaryFiles: readonly CorpusFile[] = corpusFiles.filter(
  ({ opens_in_qpdf, encrypted, pages }) => opens_in_qpdf === true && !encrypted && (pages ?? 0) > 0,
)

export function readCorpusFile({ file }: CorpusFile): Uint8Array {
  return new Uint8Array(readFileSync(new URL(file, folder)))
}

function readManifest(): CorpusFile[] {
  const manifest = new URL('manifest.jsonl', folder)
  if (!existsSync(manifest)) return []
  const lines = readFileSync(manifest, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as CorpusFile)
}
