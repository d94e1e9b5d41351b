import { ContentBudget, ContentBudgetError } from './content-budget.ts'
import {
  ContentInterpreter,
  type ContentSink,
  intersection,
  type ShownString,
} from './content-interpreter.ts'
import type { ContentScanner } from './content-scanner.ts'
import type { GraphicsState } from './graphics-state.ts'
import { keepsUpright, mappedBox } from './matrix.ts'
import type { ShownFont } from '../font/shown-font.ts'
import { type LayerVisibility, layerVisibility } from '../layer-visibility.ts'
import { isName, PdfDictionary, type PdfObject } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { op } from './operators.ts'
import { pageContent } from './page-content.ts'
import { PathBox } from './path-box.ts'
import { inheritedAttribute, type PdfPage } from '../page-tree.ts'
import { type Rectangle, rectangleOf } from '../rectangle.ts'

/** Something that a page paints. */
export interface PageMark {
  /** `text` is one shown string. */
  readonly kind: 'text' | 'image' | 'path' | 'shading'
  /** Around it, in default user space; clipped where it is clipped to a box. */
  readonly box: Rectangle
  /** false where nothing of it can be seen: text in an invisible mode, clipped away, transparent, of no size, on a hidden layer. */
  readonly visible: boolean
  /** Hides all that was painted before within its box. */
  readonly opaque: boolean
}

/** More than this a page does not tell. */
const maxMarks = 200_000

/**
 * What the content of a page paints, in the order in which it does: page content with the form XObjects in it, without annotations,
 * clipped to the page's crop box. Ends early, without error, when the content is more than the budget has.
 *
 * @param budget one for all pages of a document
 * @throws {ResourceLimitError} when the content expands to more than the limits allow
 */
export function pageMarks(
  graph: ObjectGraph,
  page: PdfPage,
  budget = new ContentBudget(),
): PageMark[] {
  const collector = new MarkCollector(graph)
  const resources = inheritedAttribute(graph, page, 'Resources')
  try {
    new ContentInterpreter(graph, collector, budget).run(
      pageContent(graph, page.dictionary),
      resources instanceof PdfDictionary ? resources : new PdfDictionary(),
      pageBox(graph, page),
    )
  } catch (error) {
    if (!(error instanceof ContentBudgetError)) throw error
  }
  return collector.marks
}

/** 14.11.2: the crop box within the media box; Letter where a page has neither. */
function pageBox(graph: ObjectGraph, page: PdfPage): Rectangle {
  const letter = { left: 0, bottom: 0, right: 612, top: 792 }
  const media = rectangleOf(graph, inheritedAttribute(graph, page, 'MediaBox')) ?? letter
  const crop = rectangleOf(graph, inheritedAttribute(graph, page, 'CropBox'))
  return crop ? intersection(media, crop) : media
}

const unitSquare: Rectangle = { left: 0, bottom: 0, right: 1, top: 1 }

class MarkCollector implements ContentSink {
  readonly wantsTextOnly = false
  readonly characters = null
  readonly marks: PageMark[] = []
  readonly #graph: ObjectGraph
  readonly #layers: LayerVisibility | null
  /** For each open mark, whether it hides what is in it. */
  readonly #hiding: boolean[] = []
  #hidden = 0
  readonly #path = new PathBox()
  /** `W` or `W*` takes effect with the operator that ends the path. */
  #clips = false

  constructor(graph: ObjectGraph) {
    this.#graph = graph
    this.#layers = layerVisibility(graph)
  }

  passesOver(): boolean {
    return false
  }

  beginString(): void {}

  endString(string: ShownString, state: GraphicsState, font: ShownFont): void {
    const mode = state.renderingMode
    const box = stringBox(string, font)
    const alpha = mode === 1 || mode === 5 ? state.strokeAlpha : state.fillAlpha
    const shows = mode !== 3 && mode !== 7 && alpha > 0
    this.#add('text', box, state, shows, false)
    // 9.3.6: from 4 on the glyphs are added to the clipping path.
    if (mode >= 4) state.clipIsBox = false
  }

  beginMark(scanner: ContentScanner, resources: PdfDictionary): void {
    const list = scanner.name(0)?.value === 'OC' ? scanner.name(1) : null
    const lists = list && this.#graph.resolve(resources.get('Properties'))
    const membership = lists instanceof PdfDictionary && list ? lists.get(list.value) : undefined
    this.#open(this.#isHiddenBy(membership))
  }

  beginForm(form: PdfDictionary): void {
    this.#open(this.#isHiddenBy(form.get('OC')))
  }

  endMark(): void {
    if (this.#hiding.pop() === true) this.#hidden--
  }

  image(image: PdfDictionary, state: GraphicsState): void {
    const value = (key: string, short: string): unknown =>
      this.#graph.resolve(image.get(key) ?? image.get(short))
    const isStencil = value('ImageMask', 'IM') === true
    const hasMask = value('SMask', 'SMask') !== null || value('Mask', 'Mask') !== null
    const isWhole = !isStencil && !hasMask
    const { matrix } = state
    const shows = state.fillAlpha > 0 && !this.#isHiddenBy(image.get('OC'))
    this.#add('image', mappedBox(matrix, unitSquare), state, shows, isWhole && keepsUpright(matrix))
  }

  other(
    operator: number,
    scanner: ContentScanner,
    state: GraphicsState,
    resources: PdfDictionary,
  ): void {
    switch (operator) {
      case op.m:
      case op.l:
        this.#path.add(state, scanner.number(0), scanner.number(1))
        break
      case op.c:
      case op.v:
      case op.y:
        // A curve lies within the box of its end and control points.
        for (let index = 0; index + 1 < scanner.count; index += 2) {
          this.#path.add(state, scanner.number(index), scanner.number(index + 1))
        }
        this.#path.isCurved = true
        break
      case op.re:
        this.#path.addRectangle(
          state,
          scanner.number(0),
          scanner.number(1),
          scanner.number(2),
          scanner.number(3),
        )
        break
      case op.W:
      case op.Wstar:
        this.#clips = true
        break
      case op.n:
        this.#endPath(state)
        break
      case op.S:
      case op.s:
        this.#paintPath(state, false, true)
        break
      case op.f:
      case op.F:
      case op.fstar:
        this.#paintPath(state, true, false)
        break
      case op.B:
      case op.Bstar:
      case op.b:
      case op.bstar:
        this.#paintPath(state, true, true)
        break
      case op.sh:
        this.#add('shading', state.clip, state, state.fillAlpha > 0, true)
        break
      case op.w:
        state.lineWidth = scanner.number(0)
        break
      case op.cs:
        state.fillsWithPattern = this.#isPattern(scanner, resources)
        break
      case op.scn:
        state.fillsWithPattern = scanner.name(scanner.count - 1) !== null
        break
      case op.g:
      case op.rg:
      case op.k:
      case op.sc:
        state.fillsWithPattern = false
        break
    }
  }

  #isHiddenBy(membership: PdfObject | undefined): boolean {
    return membership !== undefined && (this.#layers?.hiding(membership).length ?? 0) > 0
  }

  #open(hides: boolean): void {
    this.#hiding.push(hides)
    if (hides) this.#hidden++
  }

  #isPattern(scanner: ContentScanner, resources: PdfDictionary): boolean {
    const name = scanner.name(0)
    if (name === null) return false
    const spaces = this.#graph.resolve(resources.get('ColorSpace'))
    const named = spaces instanceof PdfDictionary ? spaces.get(name.value) : undefined
    const space = this.#graph.resolve(named ?? name)
    return isName(Array.isArray(space) ? this.#graph.resolve(space[0]) : space, 'Pattern')
  }

  #paintPath(state: GraphicsState, fills: boolean, strokes: boolean): void {
    const path = this.#path
    if (path.box) {
      const shows = (fills && state.fillAlpha > 0) || (strokes && state.strokeAlpha > 0)
      const covers = fills && path.isRectangle && !state.fillsWithPattern
      const box = strokes ? widened(path.box, strokeReach(state)) : path.box
      this.#add('path', box, state, shows, covers)
    }
    this.#endPath(state)
  }

  #endPath(state: GraphicsState): void {
    if (this.#clips) {
      state.clip = intersection(state.clip, this.#path.box ?? nowhere)
      state.clipIsBox &&= this.#path.isRectangle
    }
    this.#clips = false
    this.#path.clear()
  }

  #add(
    kind: PageMark['kind'],
    whole: Rectangle,
    state: GraphicsState,
    shows: boolean,
    covers: boolean,
  ): void {
    if (this.marks.length >= maxMarks) return
    const box = intersection(whole, state.clip)
    const hasExtent = box.right > box.left && box.top > box.bottom
    const visible = shows && hasExtent && this.#hidden === 0
    const isSolid = state.fillAlpha >= 1 && !state.isMasked && !state.blends && state.clipIsBox
    this.marks.push({ kind, box, visible, opaque: visible && covers && isSolid })
  }
}

const nowhere: Rectangle = { left: 0, bottom: 0, right: 0, top: 0 }

/** Half of the line's width in default user space; a line of no width is as thin as the device can. */
function strokeReach({ lineWidth, matrix: [a, b, c, d] }: GraphicsState): number {
  const scale = Math.sqrt(Math.abs(a * d - b * c))
  return Math.max((lineWidth * scale) / 2, 0.01)
}

function widened({ left, bottom, right, top }: Rectangle, by: number): Rectangle {
  return { left: left - by, bottom: bottom - by, right: right + by, top: top + by }
}

/** Around a string by its widths and the reach of its font; of a vertical one, half an em on both sides of its line. */
function stringBox(string: ShownString, font: ShownFont): Rectangle {
  const { x, y, endX, endY } = string
  const [sideX, sideY] = font.isVertical ? [string.alongX, string.alongY] : [string.upX, string.upY]
  const [low, high] = font.isVertical ? [-0.5, 0.5] : [font.descent, font.ascent]
  const xs = [x + low * sideX, x + high * sideX, endX + low * sideX, endX + high * sideX]
  const ys = [y + low * sideY, y + high * sideY, endY + low * sideY, endY + high * sideY]
  return {
    left: Math.min(...xs),
    bottom: Math.min(...ys),
    right: Math.max(...xs),
    top: Math.max(...ys),
  }
}
