import { PdfDictionary, type PdfObject, PdfStream } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { ColourSpace } from './colour-space.ts'
import type { ColourSpaceChecks } from './colour-space-checks.ts'
import type { Frame } from './content-frame.ts'
import type { ContentStack } from './content-stack.ts'
import type { Paint } from './drawing-state.ts'

/** What painting asks of the colours that are set, and whether it is opaque. */
export class Painting {
  readonly #graph: ObjectGraph
  readonly #colours: ColourSpaceChecks
  readonly #stack: ContentStack

  constructor(graph: ObjectGraph, colours: ColourSpaceChecks, stack: ContentStack) {
    this.#graph = graph
    this.#colours = colours
    this.#stack = stack
  }

  /** Each colour space once in one content. */
  judge(frame: Frame, space: ColourSpace): void {
    if (frame.hasNoColour || frame.judged.has(space)) return
    frame.judged.add(space)
    this.#colours.check(space, frame.context, frame.place)
  }

  judgeShading(frame: Frame, object: PdfObject | undefined): void {
    const shading = this.#graph.resolve(object)
    const dictionary = shading instanceof PdfStream ? shading.dictionary : shading
    if (!(dictionary instanceof PdfDictionary)) return
    const space = frame.resources.colourSpaceOf(dictionary.get('ColorSpace'))
    if (space !== null) this.judge(frame, space)
  }

  /** An area is filled, or a line drawn. */
  paint(frame: Frame, paint: Paint): void {
    const { state } = frame
    this.judge(frame, paint.space)
    if (paint.overprints && state.overprintMode !== 0 && !frame.hasNoColour) {
      this.#colours.checkOverprint(paint.space, state.overprintMode, frame.place)
    }
    if (paint.isTranslucent || state.blends || state.isMasked) frame.isTranslucent = true
    if (paint.pattern !== null && this.#stack.isTranslucent(paint.pattern)) {
      frame.isTranslucent = true
    }
  }

  /** Text is filled, drawn in outline, both or neither by its rendering mode (table 104). */
  paintText(frame: Frame): void {
    const { renderingMode, fill, stroke } = frame.state
    if (renderingMode % 2 === 0) this.paint(frame, fill)
    if (renderingMode % 4 === 1 || renderingMode % 4 === 2) this.paint(frame, stroke)
  }

  /** Images, shadings and forms are filled as a whole, without a colour of the state. */
  paintObject(frame: Frame): void {
    const { fill, blends, isMasked } = frame.state
    if (fill.isTranslucent || blends || isMasked) frame.isTranslucent = true
  }
}
