import { ContentBudget } from '../../pdf/content/content-budget.ts'
import { ContentScanner, Operand } from '../../pdf/content/content-scanner.ts'
import { op } from '../../pdf/content/operators.ts'
import { decodeStream } from '../../pdf/filter/decode-stream.ts'
import {
  isName,
  PdfDictionary,
  type PdfName,
  type PdfObject,
  PdfReference,
  PdfStream,
} from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import { checkSpelling } from '../file/check-file.ts'
import type { FontChecks } from '../font/font-checks.ts'
import type { Validation } from '../validation.ts'
import { type DrawingState, initialState } from './drawing-state.ts'

/** Content that is being gone through: of a page, a form XObject, a pattern or a glyph. */
interface Frame {
  readonly scanner: ContentScanner
  readonly resources: PdfDictionary
  readonly place: Place
  state: DrawingState
  readonly saved: DrawingState[]
  /** Of every marked-content sequence that is open: whether it has `/ActualText`. */
  readonly marks: boolean[]
  /** How many of them have. */
  actualTexts: number
}

/**
 * Goes through content streams operator by operator and, where they draw others, through those: each form, pattern and glyph
 * once, in the state in which it is first drawn.
 */
export class ContentWalk {
  readonly #validation: Validation
  readonly #fonts: FontChecks
  readonly #budget: ContentBudget
  readonly #seen = new Set<PdfStream | PdfDictionary>()
  readonly #frames: Frame[] = []

  constructor(validation: Validation, fonts: FontChecks) {
    this.#validation = validation
    this.#fonts = fonts
    this.#budget = new ContentBudget(validation.file.bytes.length)
  }

  /** @throws {ContentBudgetError} when the document has more content than can be gone through */
  run(content: Uint8Array, resources: PdfDictionary, place: Place): void {
    this.#enter(content, resources, initialState(), place)
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      const operator = frame.scanner.next()
      if (operator === 0) this.#leave(frame)
      else this.#execute(operator, frame)
    }
  }

  /** A form XObject or an appearance stream. */
  runForm(form: PdfStream, resources: PdfDictionary, place: Place): void {
    if (this.#seen.has(form)) return
    this.#seen.add(form)
    const own = this.#validation.graph.resolve(form.dictionary.get('Resources'))
    const content = decodeStream(this.#validation.graph, form) ?? new Uint8Array()
    this.run(content, own instanceof PdfDictionary ? own : resources, place)
  }

  #enter(content: Uint8Array, resources: PdfDictionary, state: DrawingState, place: Place): void {
    this.#budget.spend(content.length + 1024)
    const scanner = new ContentScanner()
    scanner.open(content)
    this.#frames.push({ scanner, resources, place, state, saved: [], marks: [], actualTexts: 0 })
  }

  #leave({ scanner, place }: Frame): void {
    checkSpelling(this.#validation, scanner.oddities, place)
    this.#frames.pop()
  }

  #execute(operator: number, frame: Frame): void {
    const { scanner, state } = frame
    switch (operator) {
      case op.q:
        frame.saved.push({ ...state })
        break
      case op.Q:
        frame.state = frame.saved.pop() ?? state
        break
      case op.gs:
        this.#setParameters(frame, scanner.name(0))
        break
      case op.Tf:
        state.font = this.#named(frame, 'Font', scanner.name(0))
        break
      case op.Tr:
        state.renderingMode = scanner.number(0)
        break
      case op.Tj:
      case op.TJ:
      case op.quote:
      case op.doubleQuote:
        this.#show(frame)
        break
      case op.BMC:
      case op.BDC:
        this.#beginMark(frame)
        break
      case op.EMC:
        if (frame.marks.pop() === true) frame.actualTexts--
        break
      case op.Do:
        this.#draw(frame, scanner.name(0))
        break
    }
  }

  #show(frame: Frame): void {
    const { scanner, state } = frame
    if (state.font === null) return
    for (let index = 0; index < scanner.count; index++) {
      if (scanner.kind(index) !== Operand.string) continue
      const bytes = scanner
        .stringBytes(index)
        .subarray(scanner.stringStart(index), scanner.stringEnd(index))
      const { font, renderingMode } = state
      const hasActualText = frame.actualTexts > 0
      this.#fonts.show({ font, bytes, renderingMode, hasActualText }, frame.place)
    }
    this.#enterGlyphs(frame, state.font)
  }

  /** The glyph procedures of a Type 3 font (ISO 32000-2, 9.6.4). */
  #enterGlyphs(frame: Frame, reference: PdfObject): void {
    const { graph } = this.#validation
    const font = graph.resolve(reference)
    if (!(font instanceof PdfDictionary) || this.#seen.has(font)) return
    this.#seen.add(font)
    if (!isName(graph.resolve(font.get('Subtype')), 'Type3')) return
    const procedures = graph.resolve(font.get('CharProcs'))
    if (!(procedures instanceof PdfDictionary)) return
    const resources = graph.resolve(font.get('Resources'))
    const own = resources instanceof PdfDictionary ? resources : frame.resources
    for (const [, procedure] of [...procedures].reverse()) {
      const stream = graph.resolve(procedure)
      if (!(stream instanceof PdfStream) || this.#seen.has(stream)) continue
      this.#seen.add(stream)
      const content = decodeStream(graph, stream) ?? new Uint8Array()
      this.#enter(content, own, { ...frame.state }, placeOf(procedure, frame.place))
    }
  }

  #draw(frame: Frame, name: PdfName | null): void {
    const { graph } = this.#validation
    const object = this.#named(frame, 'XObject', name)
    const form = graph.resolve(object)
    if (!(form instanceof PdfStream) || this.#seen.has(form)) return
    this.#seen.add(form)
    if (!isName(graph.resolve(form.dictionary.get('Subtype')), 'Form')) return
    const own = graph.resolve(form.dictionary.get('Resources'))
    const resources = own instanceof PdfDictionary ? own : frame.resources
    const content = decodeStream(graph, form) ?? new Uint8Array()
    this.#enter(content, resources, { ...frame.state }, placeOf(object, frame.place))
  }

  /** 8.4.5. */
  #setParameters(frame: Frame, name: PdfName | null): void {
    const { graph } = this.#validation
    const parameters = graph.resolve(this.#named(frame, 'ExtGState', name))
    if (!(parameters instanceof PdfDictionary)) return
    const font = graph.resolve(parameters.get('Font'))
    if (Array.isArray(font)) frame.state.font = font[0] ?? null
  }

  #beginMark(frame: Frame): void {
    const has = this.#hasActualText(frame)
    frame.marks.push(has)
    if (has) frame.actualTexts++
  }

  #hasActualText(frame: Frame): boolean {
    const { graph } = this.#validation
    const { scanner } = frame
    if (scanner.count < 2) return false
    const name = scanner.name(1)
    if (name !== null) {
      const list = graph.resolve(this.#named(frame, 'Properties', name))
      return list instanceof PdfDictionary && graph.resolve(list.get('ActualText')) !== null
    }
    for (let index = 1; index < scanner.count; index++) {
      if (scanner.name(index)?.value === 'ActualText') return true
    }
    return false
  }

  #named(frame: Frame, category: string, name: PdfName | null): PdfObject {
    if (name === null) return null
    const named = this.#validation.graph.resolve(frame.resources.get(category))
    return named instanceof PdfDictionary ? (named.get(name.value) ?? null) : null
  }
}

function placeOf(object: PdfObject, { object: holder, page }: Place): Place {
  return { object: object instanceof PdfReference ? object : holder, page }
}
