import type { PdfFile } from '../pdf/pdf-file.ts'
import type { Location } from './anomaly.ts'

/** The bytes of a revision, which objects written outside of it can have left empty. */
export function revisionLocation({ revisions, bytes }: PdfFile, index: number): Location {
  const revision = revisions[index]
  const start = revision?.start ?? 0
  const end = Math.max(revision?.end ?? bytes.length, start)
  return { start, end, revision: { index, of: revisions.length } }
}
