import type { ContentScanner } from '../../pdf/content/content-scanner.ts'
import type { PdfDictionary, PdfStream } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import type { ColourSpace } from './colour-space.ts'
import type { ColourContext } from './colour-space-checks.ts'
import type { ContentResources } from './content-resources.ts'
import { copyOf, type DrawingState } from './drawing-state.ts'
import type { OpenMarks } from './open-marks.ts'

/** A content stream with what it is drawn in. */
export interface DrawnContent {
  readonly bytes: Uint8Array
  readonly resources: ContentResources
  readonly context: ColourContext
  readonly place: Place
  /** `/StructParents`: under which key the structure tree has what is marked in it; null for none. */
  readonly structureKey: number | null
}

/** Content that is being gone through: of a page, a form XObject, a pattern or a glyph. */
export interface Frame {
  readonly scanner: ContentScanner
  readonly resources: ContentResources
  readonly context: ColourContext
  readonly place: Place
  /** What the content belongs to; null for the page itself. */
  readonly owner: PdfStream | PdfDictionary | null
  state: DrawingState
  readonly saved: DrawingState[]
  /** `q` beyond those that are kept. */
  unsaved: number
  readonly marks: OpenMarks
  /** Colour spaces that were judged here. */
  readonly judged: Set<ColourSpace>
  /** Colours in it count for nothing: an uncoloured tiling, or a glyph that is only a shape. */
  hasNoColour: boolean
  isTranslucent: boolean
  /** A pattern is gone through where it is set and drawn where it is painted with. */
  isDrawnLater: boolean
  /** What was found odd, as bits of the scanner's oddities. */
  oddities: number
  /** Delimiters that closed nothing, as many as were found. */
  strays: number
}

export function frameOf(
  { bytes, resources, context, place }: DrawnContent,
  state: DrawingState,
  owner: PdfStream | PdfDictionary | null,
  marks: OpenMarks,
  scanner: ContentScanner,
): Frame {
  // Not a Buffer: one kind of array in the innermost loops is read faster than two.
  scanner.open(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length))
  return {
    scanner,
    resources,
    context,
    place,
    owner,
    state,
    saved: [],
    unsaved: 0,
    marks,
    judged: new Set(),
    hasNoColour: false,
    isTranslucent: false,
    isDrawnLater: false,
    oddities: 0,
    strays: 0,
  }
}

/** `q`; how many states are saved then, this one included. */
export function saveState(frame: Frame): number {
  const nesting = frame.saved.length + frame.unsaved + 1
  if (nesting <= maxSavedStates) frame.saved.push(copyOf(frame.state))
  else frame.unsaved++
  return nesting
}

/** `Q` */
export function restoreState(frame: Frame): void {
  if (frame.unsaved > 0) frame.unsaved--
  else frame.state = frame.saved.pop() ?? frame.state
}

/** Saved states at once in one content; deeper ones come back to the last that was kept. */
const maxSavedStates = 1024
