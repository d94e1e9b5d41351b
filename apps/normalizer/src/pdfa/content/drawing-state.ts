import type { PdfObject } from '../../pdf/object.ts'

/** What `q` saves and `Q` restores (ISO 32000-2, 8.4), as far as rules ask for it. */
export interface DrawingState {
  /** The font resource; null where none is set. */
  font: PdfObject
  /** ISO 32000-2, table 104. */
  renderingMode: number
}

export function initialState(): DrawingState {
  return { font: null, renderingMode: 0 }
}
