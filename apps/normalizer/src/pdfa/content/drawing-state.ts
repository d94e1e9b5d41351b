import { isName, PdfDictionary, type PdfObject, PdfStream } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { ColourSpace } from './colour-space.ts'

/** What `q` saves and `Q` restores (ISO 32000-2, 8.4), as far as rules ask for it. */
export interface DrawingState {
  /** The font resource; null where none is set. */
  font: PdfObject
  /** ISO 32000-2, table 104. */
  renderingMode: number
  overprintMode: number
  /** A blend mode other than Normal. */
  blends: boolean
  /** A soft mask. */
  isMasked: boolean
  readonly fill: Paint
  readonly stroke: Paint
}

/** What areas are filled with, or lines are drawn with. */
export interface Paint {
  space: ColourSpace
  /** Where the space is Pattern: the tiling or shading that was set last. */
  pattern: PdfStream | PdfDictionary | null
  overprints: boolean
  isTranslucent: boolean
}

/** The state in which content begins that inherits none. */
export function initialState(gray: ColourSpace): DrawingState {
  const paint = (): Paint => ({
    space: gray,
    pattern: null,
    overprints: false,
    isTranslucent: false,
  })
  return {
    font: null,
    renderingMode: 0,
    overprintMode: 0,
    blends: false,
    isMasked: false,
    fill: paint(),
    stroke: paint(),
  }
}

export function copyOf(state: DrawingState): DrawingState {
  return {
    font: state.font,
    renderingMode: state.renderingMode,
    overprintMode: state.overprintMode,
    blends: state.blends,
    isMasked: state.isMasked,
    fill: { ...state.fill },
    stroke: { ...state.stroke },
  }
}

/** Sets what graphics state parameters ask for (8.4.5). */
export function applyParameters(
  graph: ObjectGraph,
  state: DrawingState,
  parameters: PdfDictionary,
): void {
  const value = (key: string): PdfObject => graph.resolve(parameters.get(key))
  const font = value('Font')
  if (Array.isArray(font)) state.font = font[0] ?? null

  const strokeOverprint = value('OP')
  const fillOverprint = value('op')
  if (typeof strokeOverprint === 'boolean') {
    state.stroke.overprints = strokeOverprint
    // Table 57: without /op it holds for both.
    if (typeof fillOverprint !== 'boolean') state.fill.overprints = strokeOverprint
  }
  if (typeof fillOverprint === 'boolean') state.fill.overprints = fillOverprint
  const mode = value('OPM')
  if (typeof mode === 'number') state.overprintMode = mode

  const fillAlpha = value('ca')
  if (typeof fillAlpha === 'number') state.fill.isTranslucent = fillAlpha < 1
  const strokeAlpha = value('CA')
  if (typeof strokeAlpha === 'number') state.stroke.isTranslucent = strokeAlpha < 1
  const blendMode = value('BM')
  if (blendMode !== null) {
    // Before PDF 2.0 an array could name several, of which the first that is known counts.
    const modes = Array.isArray(blendMode) ? blendMode : [blendMode]
    state.blends = modes.some((mode) => !isName(graph.resolve(mode), 'Normal'))
  }
  const mask = value('SMask')
  if (mask !== null) state.isMasked = mask instanceof PdfDictionary || mask instanceof PdfStream
}
