import type { PdfFile } from '../pdf/pdf-file.ts'

/** A half-open range of the original bytes and what stands there. */
export interface ObjectPlace {
  readonly start: number
  readonly end: number
  readonly object: { readonly number: number; readonly generation: number }
}

/** Where the live object with this number stands; for one in an object stream, where that stream stands. */
export function objectPlace(file: PdfFile, number: number): ObjectPlace | null {
  const own = file.provenance(number)
  const holder = own?.kind === 'compressed' ? file.provenance(own.objectStream) : own
  if (holder?.kind !== 'offset') return null
  const object = { number, generation: file.graph.generation(number) }
  return { start: holder.start, end: holder.end, object }
}
