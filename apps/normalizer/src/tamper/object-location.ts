import type { PdfFile } from '../pdf/pdf-file.ts'
import type { Location } from './anomaly.ts'

/** Where the live object with this number stands; for one in an object stream, where that stream stands. */
export function objectLocation(file: PdfFile, number: number): Location | null {
  const own = file.provenance(number)
  const holder = own?.kind === 'compressed' ? file.provenance(own.objectStream) : own
  if (holder?.kind !== 'offset') return null
  const object = { number, generation: file.graph.generation(number) }
  return { start: holder.start, end: holder.end, object }
}
