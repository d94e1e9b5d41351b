import type { ShownFont } from '../font/shown-font.ts'
import { identityMatrix, type Matrix } from './matrix.ts'
import type { Rectangle } from '../rectangle.ts'

/** What `q` saves and `Q` restores (ISO 32000-2, 8.4), as far as it decides what is painted where. */
export class GraphicsState {
  /** The current transformation matrix: to default user space. */
  matrix: Matrix = identityMatrix
  /** A box around the clipping path, in default user space. */
  clip: Rectangle
  /** Whether the clipping path is such a box itself. */
  clipIsBox = true
  lineWidth = 1
  /** Areas are filled with a pattern, which may leave gaps. */
  fillsWithPattern = false
  /** 9.3, `Tc` and `Tw`: in unscaled units of text space. */
  characterSpacing = 0
  wordSpacing = 0
  /** `Tz`, as a factor. */
  horizontalScaling = 1
  leading = 0
  font: ShownFont | null = null
  fontSize = 0
  renderingMode = 0
  rise = 0
  fillAlpha = 1
  strokeAlpha = 1
  /** A soft mask or a blend mode other than Normal lets what is below show through. */
  isMasked = false
  blends = false

  constructor(clip: Rectangle) {
    this.clip = clip
  }

  copy(): GraphicsState {
    const copy = new GraphicsState(this.clip)
    copy.matrix = this.matrix
    copy.clipIsBox = this.clipIsBox
    copy.lineWidth = this.lineWidth
    copy.fillsWithPattern = this.fillsWithPattern
    copy.characterSpacing = this.characterSpacing
    copy.wordSpacing = this.wordSpacing
    copy.horizontalScaling = this.horizontalScaling
    copy.leading = this.leading
    copy.font = this.font
    copy.fontSize = this.fontSize
    copy.renderingMode = this.renderingMode
    copy.rise = this.rise
    copy.fillAlpha = this.fillAlpha
    copy.strokeAlpha = this.strokeAlpha
    copy.isMasked = this.isMasked
    copy.blends = this.blends
    return copy
  }
}
