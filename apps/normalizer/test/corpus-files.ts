import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the corpus beside the repository, and what is known of it; null or absent: not known. */
export interface CorpusFile {
  readonly file: string
  readonly category: string
  /** All kinds that it belongs to. */
  readonly categories?: readonly string[]
  readonly pages?: number | null
  readonly opens_in_qpdf?: boolean | null
  readonly qpdf_rc?: number | null
  readonly encrypted?: boolean | null
  readonly js?: boolean | null
  readonly launch?: boolean | null
  /** How many actions of other types, by type in small letters. */
  readonly other_actions?: Readonly<Record<string, number>> | null
  readonly open_action?: boolean | null
  /** Of the catalog's OpenAction: `dest`, or `/` and the action type. */
  readonly open_action_kind?: string | null
  readonly additional_actions?: boolean | null
  readonly embedded_files?: number | null
  readonly richmedia?: boolean | null
  readonly acroform?: boolean | null
  readonly acroform_fields?: number | null
  /** How many, by subtype. */
  readonly annotations?: Readonly<Record<string, number>> | null
  readonly xfa?: boolean | null
  readonly signatures?: {
    readonly count: number | null
    readonly integrity: string | null
    readonly openssl?: readonly OpensslFact[] | null
  } | null
  readonly tampered_by_construction?: boolean | null
  /** poppler's list. */
  readonly fonts_not_embedded?: readonly string[] | null
  /** Of a suite for PDF/A; the clause is the one that a file which fails breaks. */
  readonly pdfa?: {
    readonly flavour: string | null
    readonly corpus_verdict: string | null
    readonly clause?: string | null
  } | null
  readonly raw?: {
    readonly header_version: string | null
    readonly revisions_estimate: number | null
  } | null
}

/** What openssl says of one signature dictionary, of its bytes alone. */
export interface OpensslFact {
  /** Number and generation: `15 0`. */
  readonly obj: string
  /** Digest and signature over the byte range, whatever the range is. */
  readonly intact: boolean | null
  readonly covers_to_eof: boolean | null
  readonly gap_matches_contents: boolean | null
}

const folder = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url))

/** All files of the corpus; none where it does not exist. */
export const corpusFiles: readonly CorpusFile[] = readManifest(folder)
export const withoutCorpus = corpusFiles.length > 0 ? '' : ' (skipped: the corpus is not there)'

/** Those that every reader opens: not encrypted, with pages. */
export const ordinaryFiles: readonly CorpusFile[] = corpusFiles.filter(
  ({ opens_in_qpdf, encrypted, pages }) => opens_in_qpdf === true && !encrypted && (pages ?? 0) > 0,
)

export function readCorpusFile({ file }: CorpusFile, from = folder): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(from, file)))
}

/** @returns null where there is no manifest in the folder */
export function openCorpus(path: string | undefined): Corpus | null {
  const files = path === undefined ? corpusFiles : readManifest(path)
  return files.length === 0 ? null : { files, read: (file) => readCorpusFile(file, path) }
}

export interface Corpus {
  readonly files: readonly CorpusFile[]
  read(file: CorpusFile): Uint8Array<ArrayBuffer>
}

function readManifest(at: string): CorpusFile[] {
  const manifest = join(at, 'manifest.jsonl')
  if (!existsSync(manifest)) return []
  const lines = readFileSync(manifest, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as CorpusFile)
}
