import { ContentBudget } from './content-budget.ts'
import { ContentScanner, Operand } from './content-scanner.ts'
import { op } from './operators.ts'
import { GraphicsState } from './graphics-state.ts'
import { identityMatrix, keepsUpright, mappedBox, type Matrix, product } from './matrix.ts'
import { decodeStream } from '../filter/decode-stream.ts'
import type { CharacterBuffer } from '../font/character-buffer.ts'
import { loadFont } from '../font/load-font.ts'
import type { ShownFont, StringMeasure } from '../font/shown-font.ts'
import { isName, PdfDictionary, type PdfName, type PdfObject, PdfStream } from '../object.ts'
import type { ContentGraph, FontGraph } from './content-graph.ts'
import { numbersOf, type Rectangle, rectangleOf } from '../rectangle.ts'

/** A string as it is shown, in default user space. One object for all strings: keep what is in it, not it. */
export interface ShownString {
  /** Where the first glyph's origin stands, and where the next one would. */
  x: number
  y: number
  endX: number
  endY: number
  /** One em along the baseline, and one em from the baseline up. */
  alongX: number
  alongY: number
  upX: number
  upY: number
}

/** What is told of the content while it is executed. */
export interface ContentSink {
  /** Whether forms that show no text and have no marks may be passed over. */
  readonly wantsTextOnly: boolean
  /** Receives what shown strings stand for; null while nobody asks. */
  readonly characters: CharacterBuffer | null
  /** Whether content may be passed over without being executed. */
  passesOver(content: Uint8Array): boolean
  /** A string begins. Its end is not known yet. */
  beginString(string: ShownString, font: ShownFont): void
  endString(string: ShownString, state: GraphicsState, font: ShownFont): void
  /** `BMC` or `BDC`; the scanner has the operands. */
  beginMark(scanner: ContentScanner, resources: PdfDictionary): void
  endMark(): void
  /** A form XObject is drawn, until `endMark`. */
  beginForm(form: PdfDictionary): void
  /** An image, which fills the unit square of the state's space. */
  image(image: PdfDictionary, state: GraphicsState): void
  /** Any operator that is none of text, state or XObjects. */
  other(
    operator: number,
    scanner: ContentScanner,
    state: GraphicsState,
    resources: PdfDictionary,
  ): void
}

/** Content that is being executed: of a page or of a form XObject within it. */
interface Frame {
  readonly scanner: ContentScanner
  readonly resources: PdfDictionary
  readonly fonts: Map<string, ShownFont | null>
  /** null for the page itself. */
  readonly form: PdfStream | null
  /** The state to come back to. */
  readonly entered: GraphicsState
  readonly saved: GraphicsState[]
  /** `q` beyond those that are kept. */
  unsaved: number
  marks: number
  /** Strings and marks before it. */
  readonly toldBefore: number
}

/** A form XObject as it is drawn (8.10). */
interface Form {
  readonly matrix: Matrix
  readonly box: Rectangle | null
  /** null for those of whatever draws it. */
  readonly resources: PdfDictionary | null
  readonly content: Uint8Array
}

/** Saved states at once in one content; deeper ones come back to the last that was kept. */
const maxSavedStates = 1024
/** Forms within each other; no writer nests as deep. */
const maxForms = 64
/** Forms that are kept between pages, so that a stamp on each of them is not decoded each time; bytes. */
const maxFormBytes = 4 * 1024 * 1024
/** What a form takes beside its content. */
const formBytes = 1024
/** Fonts that are kept at once. */
const maxKeptFonts = 1024

/**
 * Executes page content (ISO 32000-2, 7.8.2): graphics and text state, form XObjects, shown text. One for a document; it
 * keeps the fonts. Not in scope: patterns, glyph procedures and soft masks, whose content is painted but not read.
 */
export class ContentInterpreter {
  readonly #graph: FontGraph
  readonly #sink: ContentSink
  readonly #budget: ContentBudget
  readonly #fonts = new Map<PdfDictionary, ShownFont | null>()
  readonly #forms = new Map<PdfStream, Form>()
  #formBytes = 0
  /** Forms that show no text however they are entered. */
  readonly #silentForms = new Set<PdfStream>()
  readonly #open = new Set<PdfStream>()
  readonly #frames: Frame[] = []
  /** By depth: forms are entered often, and many are short. */
  readonly #scanners: ContentScanner[] = []
  #state = new GraphicsState(everything)
  /** 9.4.1: the text matrix and the text line matrix; they are linear alike. */
  #a = 1
  #b = 0
  #c = 0
  #d = 1
  #e = 0
  #f = 0
  #lineE = 0
  #lineF = 0
  #told = 0
  readonly #measure: StringMeasure = { width: 0, glyphs: 0, spaces: 0 }
  readonly #string: ShownString = {
    x: 0,
    y: 0,
    endX: 0,
    endY: 0,
    alongX: 0,
    alongY: 0,
    upX: 0,
    upY: 0,
  }

  constructor(graph: ContentGraph, sink: ContentSink, budget = new ContentBudget()) {
    this.#graph = {
      ...(graph.expansionBudget && { expansionBudget: graph.expansionBudget }),
      resolve: (object) => graph.resolve(object),
      contentBudget: budget,
    }
    this.#sink = sink
    this.#budget = budget
  }

  /**
   * Executes the content of one page.
   *
   * @param clip the page's box, to which everything is clipped
   * @throws {ContentBudgetError} when the document is more than its budget has
   * @throws {ResourceLimitError} when the content expands to more than the limits allow
   */
  run(content: Uint8Array, resources: PdfDictionary, clip: Rectangle = everything): void {
    this.#state = new GraphicsState(clip)
    this.#setTextMatrix(1, 0, 0, 1, 0, 0)
    this.#open.clear()
    this.#frames.length = 0
    this.#enter(content, resources, null, this.#state)
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      const operator = frame.scanner.next()
      if (operator === 0) this.#leave(frame)
      else this.#execute(operator, frame)
    }
  }

  #enter(
    content: Uint8Array,
    resources: PdfDictionary,
    form: PdfStream | null,
    state: GraphicsState,
  ): void {
    this.#budget.spend(content.length + formBytes)
    if (this.#sink.passesOver(content)) {
      if (form) this.#silentForms.add(form)
      return
    }
    if (form) {
      this.#open.add(form)
      this.#sink.beginForm(form.dictionary)
    }
    const scanner = this.#scanners[this.#frames.length] ?? new ContentScanner()
    this.#scanners[this.#frames.length] = scanner
    scanner.open(content)
    this.#frames.push({
      scanner,
      resources,
      fonts: new Map(),
      form,
      entered: this.#state,
      saved: [],
      unsaved: 0,
      marks: 0,
      toldBefore: this.#told,
    })
    this.#state = state
  }

  #leave(frame: Frame): void {
    this.#frames.pop()
    for (; frame.marks > 0; frame.marks--) this.#sink.endMark()
    this.#state = frame.entered
    if (frame.form === null) return
    this.#open.delete(frame.form)
    this.#sink.endMark()
    // Inherited resources could bring text into the same form elsewhere.
    const isOwn = this.#graph.resolve(frame.form.dictionary.get('Resources')) !== null
    if (isOwn && frame.toldBefore === this.#told) this.#silentForms.add(frame.form)
  }

  #execute(operator: number, frame: Frame): void {
    const { scanner } = frame
    const state = this.#state
    switch (operator) {
      case op.q:
        if (frame.saved.length < maxSavedStates) frame.saved.push(state.copy())
        else frame.unsaved++
        break
      case op.Q:
        if (frame.unsaved > 0) frame.unsaved--
        else this.#state = frame.saved.pop() ?? state
        break
      case op.cm:
        state.matrix = product(matrixOperand(scanner), state.matrix)
        break
      case op.gs:
        this.#setParameters(this.#named(frame, 'ExtGState', scanner.name(0)))
        break
      case op.BT:
        this.#setTextMatrix(1, 0, 0, 1, 0, 0)
        break
      case op.ET:
        break
      case op.Tc:
        state.characterSpacing = scanner.number(0)
        break
      case op.Tw:
        state.wordSpacing = scanner.number(0)
        break
      case op.Tz:
        state.horizontalScaling = scanner.number(0) / 100
        break
      case op.TL:
        state.leading = scanner.number(0)
        break
      case op.Tf:
        state.font = this.#font(frame, scanner.name(0))
        state.fontSize = scanner.number(1)
        break
      case op.Tr:
        state.renderingMode = scanner.number(0)
        break
      case op.Ts:
        state.rise = scanner.number(0)
        break
      case op.Td:
        this.#moveLine(scanner.number(0), scanner.number(1))
        break
      case op.TD:
        state.leading = -scanner.number(1)
        this.#moveLine(scanner.number(0), scanner.number(1))
        break
      case op.Tm:
        this.#setTextMatrix(...matrixOperand(scanner))
        break
      case op.nextLine:
        this.#moveLine(0, -state.leading)
        break
      case op.Tj:
        this.#show(scanner, scanner.count - 1)
        break
      case op.TJ:
        this.#showAll(scanner)
        break
      case op.quote:
        this.#moveLine(0, -state.leading)
        this.#show(scanner, scanner.count - 1)
        break
      case op.doubleQuote:
        state.wordSpacing = scanner.number(0)
        state.characterSpacing = scanner.number(1)
        this.#moveLine(0, -state.leading)
        this.#show(scanner, scanner.count - 1)
        break
      case op.BMC:
      case op.BDC:
        frame.marks++
        this.#told++
        this.#sink.beginMark(scanner, frame.resources)
        break
      case op.EMC:
        if (frame.marks > 0) {
          frame.marks--
          this.#sink.endMark()
        }
        break
      case op.Do:
        this.#draw(frame, scanner.name(0))
        break
      case op.EI:
        if (scanner.inlineImage) this.#sink.image(scanner.inlineImage.dictionary, state)
        break
      default:
        this.#sink.other(operator, scanner, state, frame.resources)
    }
  }

  #setTextMatrix(a: number, b: number, c: number, d: number, e: number, f: number): void {
    this.#a = a
    this.#b = b
    this.#c = c
    this.#d = d
    this.#e = this.#lineE = e
    this.#f = this.#lineF = f
  }

  #moveLine(x: number, y: number): void {
    this.#e = this.#lineE += x * this.#a + y * this.#c
    this.#f = this.#lineF += x * this.#b + y * this.#d
  }

  #showAll(scanner: ContentScanner): void {
    const { font, fontSize, horizontalScaling } = this.#state
    for (let index = 0; index < scanner.count; index++) {
      const kind = scanner.kind(index)
      if (kind === Operand.string) this.#show(scanner, index)
      else if (kind === Operand.number && font !== null) {
        const move = (-scanner.number(index) / 1000) * fontSize
        if (font.isVertical) this.#advance(0, move)
        else this.#advance(move * horizontalScaling, 0)
      }
    }
  }

  #show(scanner: ContentScanner, index: number): void {
    const state = this.#state
    const { font, fontSize, horizontalScaling, characterSpacing, wordSpacing, matrix } = state
    if (font === null || scanner.kind(index) !== Operand.string) return
    const start = scanner.stringStart(index)
    const end = scanner.stringEnd(index)
    if (start === end) return
    this.#told++

    const a = this.#a * matrix[0] + this.#b * matrix[2]
    const b = this.#a * matrix[1] + this.#b * matrix[3]
    const c = this.#c * matrix[0] + this.#d * matrix[2]
    const d = this.#c * matrix[1] + this.#d * matrix[3]
    const string = this.#string
    string.x = this.#e * matrix[0] + this.#f * matrix[2] + matrix[4] + state.rise * c
    string.y = this.#e * matrix[1] + this.#f * matrix[3] + matrix[5] + state.rise * d
    const em = fontSize * font.em
    string.alongX = a * em * horizontalScaling
    string.alongY = b * em * horizontalScaling
    string.upX = c * em
    string.upY = d * em
    this.#sink.beginString(string, font)

    const measure = this.#measure
    font.read(scanner.stringBytes(index), start, end, this.#sink.characters, measure)
    const spacing = measure.glyphs * characterSpacing + measure.spaces * wordSpacing
    const advance = measure.width * fontSize + spacing
    if (font.isVertical) {
      this.#advance(0, advance)
      string.endX = string.x + advance * c
      string.endY = string.y + advance * d
    } else {
      const scaled = advance * horizontalScaling
      this.#advance(scaled, 0)
      string.endX = string.x + scaled * a
      string.endY = string.y + scaled * b
    }
    this.#sink.endString(string, state, font)
  }

  #advance(x: number, y: number): void {
    this.#e += x * this.#a + y * this.#c
    this.#f += x * this.#b + y * this.#d
  }

  #draw(frame: Frame, name: PdfName | null): void {
    const object = this.#named(frame, 'XObject', name)
    if (!(object instanceof PdfStream)) return
    const { dictionary } = object
    const subtype = this.#graph.resolve(dictionary.get('Subtype'))
    if (isName(subtype, 'Image')) {
      this.#sink.image(dictionary, this.#state)
      return
    }
    // A form that draws itself is drawn once.
    if (!isName(subtype, 'Form') || this.#open.has(object)) return
    if (this.#sink.wantsTextOnly && this.#silentForms.has(object)) return
    if (this.#frames.length > maxForms) return

    const { matrix, box, resources, content } = this.#form(object)
    const state = this.#state.copy()
    state.matrix = product(matrix, state.matrix)
    if (box) {
      state.clip = intersection(state.clip, mappedBox(state.matrix, box))
      state.clipIsBox &&= keepsUpright(state.matrix)
    }
    // 7.8.3: a form XObject without resources uses those of the page.
    this.#enter(content, resources ?? frame.resources, object, state)
  }

  #form(stream: PdfStream): Form {
    const known = this.#forms.get(stream)
    if (known) return known
    const { dictionary } = stream
    const content = decodeStream(this.#graph, stream) ?? new Uint8Array()
    const resources = this.#graph.resolve(dictionary.get('Resources'))
    const form = {
      matrix: formMatrix(this.#graph, dictionary),
      box: rectangleOf(this.#graph, dictionary.get('BBox')),
      resources: resources instanceof PdfDictionary ? resources : null,
      content,
    }
    const size = content.length + formBytes
    if (this.#formBytes + size <= maxFormBytes) {
      this.#formBytes += size
      this.#forms.set(stream, form)
    }
    return form
  }

  #named(frame: Frame, category: string, name: PdfName | null): PdfObject {
    const named = this.#graph.resolve(frame.resources.get(category))
    if (!(named instanceof PdfDictionary) || name === null) return null
    return this.#graph.resolve(named.get(name.value))
  }

  #font(frame: Frame, name: PdfName | null): ShownFont | null {
    if (name === null) return null
    const known = frame.fonts.get(name.value)
    if (known !== undefined) return known
    const font = this.#shownFont(this.#named(frame, 'Font', name))
    frame.fonts.set(name.value, font)
    return font
  }

  #shownFont(dictionary: PdfObject): ShownFont | null {
    if (!(dictionary instanceof PdfDictionary)) return null
    const known = this.#fonts.get(dictionary)
    if (known !== undefined) return known
    if (this.#fonts.size >= maxKeptFonts) this.#fonts.clear()
    const font = loadFont(this.#graph, dictionary)
    this.#fonts.set(dictionary, font)
    return font
  }

  /** 8.4.5. */
  #setParameters(parameters: PdfObject): void {
    if (!(parameters instanceof PdfDictionary)) return
    const state = this.#state
    const value = (key: string): PdfObject => this.#graph.resolve(parameters.get(key))
    const font = value('Font')
    if (Array.isArray(font)) {
      state.font = this.#shownFont(this.#graph.resolve(font[0]))
      const size = this.#graph.resolve(font[1])
      state.fontSize = typeof size === 'number' ? size : 0
    }
    const fillAlpha = value('ca')
    if (typeof fillAlpha === 'number') state.fillAlpha = fillAlpha
    const strokeAlpha = value('CA')
    if (typeof strokeAlpha === 'number') state.strokeAlpha = strokeAlpha
    const mask = value('SMask')
    if (mask !== null) state.isMasked = !isName(mask, 'None')
    const mode = value('BM')
    const first = Array.isArray(mode) ? this.#graph.resolve(mode[0]) : mode
    if (isName(first)) state.blends = first.value !== 'Normal' && first.value !== 'Compatible'
  }
}

/** No clipping: as far as coordinates make sense. */
const everything: Rectangle = { left: -1e9, bottom: -1e9, right: 1e9, top: 1e9 }

/** What both boxes have; of no extent where they have nothing in common. */
export function intersection(one: Rectangle, other: Rectangle): Rectangle {
  const left = Math.max(one.left, other.left)
  const bottom = Math.max(one.bottom, other.bottom)
  return {
    left,
    bottom,
    right: Math.max(left, Math.min(one.right, other.right)),
    top: Math.max(bottom, Math.min(one.top, other.top)),
  }
}

function formMatrix(graph: ContentGraph, form: PdfDictionary): Matrix {
  const [a, b, c, d, e, f] = numbersOf(graph, form.get('Matrix'), 6) ?? identityMatrix
  return [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0]
}

function matrixOperand(scanner: ContentScanner): Matrix {
  return [
    scanner.number(0),
    scanner.number(1),
    scanner.number(2),
    scanner.number(3),
    scanner.number(4),
    scanner.number(5),
  ]
}
