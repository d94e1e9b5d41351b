import { readContent } from '../content/content-stream.ts'
import { type Drawing, maskGroup, stateFont, streamDrawing } from '../content/drawing.ts'
import { isName, PdfDictionary, PdfName, type PdfObject, PdfStream, PdfString } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'

interface TextState {
  readonly font: PdfDictionary | null
  readonly mode: number
}

interface Run {
  readonly drawing: Drawing
  readonly state: TextState
}

const initialState: TextState = { font: null, mode: 0 }
const invisible = 3
/** Saved graphics states at once; deeper ones restore to the last that was kept. */
const maxSavedStates = 4096
/** Runs of one drawing under different states, over the whole document. */
const maxRuns = 100_000

/** Goes through the drawings that can come to a candidate, until all candidates have been seen to show something. */
export class GlyphSearch {
  readonly #graph: ObjectGraph
  readonly #candidates: ReadonlySet<PdfDictionary>
  readonly #reaching: ReadonlySet<PdfDictionary>
  readonly #shown = new Set<PdfDictionary>()
  readonly #pending: Run[] = []
  readonly #done = new Map<PdfDictionary, Set<string>>()
  readonly #fontIds = new Map<PdfDictionary, number>()
  #runs = 0

  /** @param reaching the resources from which a candidate can be come to */
  constructor(
    graph: ObjectGraph,
    candidates: ReadonlySet<PdfDictionary>,
    reaching: ReadonlySet<PdfDictionary>,
  ) {
    this.#graph = graph
    this.#candidates = candidates
    this.#reaching = reaching
  }

  run(drawings: readonly Drawing[]): ReadonlySet<PdfDictionary> {
    for (const drawing of drawings) {
      this.#enter(drawing, initialState)
      for (let next = this.#pending.pop(); next; next = this.#pending.pop()) {
        if (this.#shown.size === this.#candidates.size) return this.#shown
        this.#draw(next)
      }
    }
    return this.#shown
  }

  #enter(drawing: Drawing, state: TextState): void {
    const reaches = this.#reaching.has(drawing.resources)
    const brings = state.font !== null && this.#candidates.has(state.font)
    if ((!reaches && !brings) || this.#runs >= maxRuns) return

    const states = this.#done.get(drawing.key) ?? new Set()
    const key = `${this.#fontId(state.font)} ${state.mode}`
    if (states.has(key)) return
    this.#done.set(drawing.key, states.add(key))
    this.#runs += 1
    this.#pending.push({ drawing, state })
  }

  #fontId(font: PdfDictionary | null): number {
    if (font === null) return -1
    const known = this.#fontIds.get(font) ?? this.#fontIds.size
    this.#fontIds.set(font, known)
    return known
  }

  #draw({ drawing, state: entered }: Run): void {
    const saved: TextState[] = []
    let state = entered
    readContent(drawing.content(), (operator, operands) => {
      switch (operator) {
        case 'q':
          if (saved.length < maxSavedStates) saved.push(state)
          break
        case 'Q':
          state = saved.pop() ?? state
          break
        case 'Tf':
          state = { ...state, font: this.#dictionary(drawing, 'Font', operands[0]) }
          break
        case 'Tr':
          state = { ...state, mode: typeof operands[0] === 'number' ? operands[0] : state.mode }
          break
        case 'gs':
          state = this.#graphicsState(drawing, operands[0], state)
          break
        case 'Tj':
        case 'TJ':
        case "'":
        case '"':
          if (state.mode !== invisible && holdsText(operands.at(-1))) this.#show(drawing, state)
          break
        case 'Do':
          this.#enterStream(drawing, 'XObject', operands[0], state)
          break
        case 'scn':
        case 'SCN':
          this.#enterStream(drawing, 'Pattern', operands.at(-1), initialState)
          break
      }
    })
  }

  #show(drawing: Drawing, { font }: TextState): void {
    if (font === null) return
    if (this.#candidates.has(font)) this.#shown.add(font)
    if (!isName(this.#graph.resolve(font.get('Subtype')), 'Type3')) return
    const own = this.#graph.resolve(font.get('Resources'))
    const resources = own instanceof PdfDictionary ? own : drawing.resources
    const glyphs = this.#graph.resolve(font.get('CharProcs'))
    if (!(glyphs instanceof PdfDictionary)) return
    for (const glyph of glyphs.values()) {
      const stream = this.#graph.resolve(glyph)
      if (stream instanceof PdfStream) {
        this.#enter(streamDrawing(this.#graph, stream, resources), initialState)
      }
    }
  }

  #graphicsState(drawing: Drawing, name: PdfObject | undefined, state: TextState): TextState {
    const parameters = this.#dictionary(drawing, 'ExtGState', name)
    if (!parameters) return state
    const group = maskGroup(this.#graph, parameters)
    if (group) this.#enter(streamDrawing(this.#graph, group, drawing.resources), initialState)
    const font = this.#graph.resolve(stateFont(this.#graph, parameters))
    return font instanceof PdfDictionary ? { ...state, font } : state
  }

  #enterStream(
    drawing: Drawing,
    category: string,
    name: PdfObject | undefined,
    state: TextState,
  ): void {
    const stream = this.#named(drawing, category, name)
    if (!(stream instanceof PdfStream)) return
    if (isName(this.#graph.resolve(stream.dictionary.get('Subtype')), 'Image')) return
    this.#enter(streamDrawing(this.#graph, stream, drawing.resources), state)
  }

  #named(drawing: Drawing, category: string, name: PdfObject | undefined): PdfObject {
    const named = this.#graph.resolve(drawing.resources.get(category))
    if (!(named instanceof PdfDictionary) || !(name instanceof PdfName)) return null
    return this.#graph.resolve(named.get(name.value))
  }

  #dictionary(
    drawing: Drawing,
    category: string,
    name: PdfObject | undefined,
  ): PdfDictionary | null {
    const found = this.#named(drawing, category, name)
    return found instanceof PdfDictionary ? found : null
  }
}

function holdsText(operand: PdfObject | undefined): boolean {
  if (operand instanceof PdfString) return operand.bytes.length > 0
  return (
    Array.isArray(operand) &&
    operand.some((item) => item instanceof PdfString && item.bytes.length > 0)
  )
}
