import { readContent } from './content-stream.ts'
import { decodeStream } from './filter.ts'
import {
  isName,
  PdfDictionary,
  PdfName,
  type PdfObject,
  PdfReference,
  PdfStream,
  PdfString,
} from './object.ts'
import type { ObjectGraph } from './object-graph.ts'
import { pageContent } from './page-content.ts'
import { inheritedAttribute, listPages } from './page-tree.ts'

/** A font dictionary and, if it is numbered, its object number. */
interface FontResource {
  readonly dictionary: PdfDictionary
  readonly objectNumber: number | null
}

/** Something that is drawn: content and the resources that it names. */
interface Drawing {
  readonly key: PdfDictionary
  readonly content: () => Uint8Array
  readonly resources: PdfDictionary
}

interface ResourceNode {
  readonly resources: PdfDictionary
  readonly fonts: readonly FontResource[]
  readonly parents: ResourceNode[]
  reachesCandidate: boolean
}

/**
 * The fonts of a document as its drawings use them: of pages, annotation appearances, form XObjects, soft masks, tiling patterns and
 * Type 3 glyphs.
 */
export interface FontUse {
  /** All that some drawing's resources name. */
  readonly fonts: readonly FontResource[]
  /** Those of the candidates that some drawing shows glyphs with, in a mode other than invisible (9.3.6). */
  showing(isCandidate: (font: PdfDictionary) => boolean): FontResource[]
}

export function fontUse(graph: ObjectGraph): FontUse {
  const drawings = topDrawings(graph)
  const nodes = resourceNodes(graph, drawings)
  const fonts = new Map<PdfDictionary, FontResource>()
  for (const node of nodes.values()) {
    for (const font of node.fonts) if (!fonts.has(font.dictionary)) fonts.set(font.dictionary, font)
  }
  return {
    fonts: [...fonts.values()],
    showing(isCandidate) {
      const candidates = new Set([...fonts.keys()].filter(isCandidate))
      if (candidates.size === 0) return []
      markReaching(nodes, candidates)
      const shown = new GlyphSearch(graph, nodes, candidates).run(drawings)
      return [...fonts.values()].filter(({ dictionary }) => shown.has(dictionary))
    },
  }
}

/** Pages and the normal appearances of their annotations. */
function topDrawings(graph: ObjectGraph): Drawing[] {
  const drawings: Drawing[] = []
  for (const page of listPages(graph)) {
    const resources = inheritedAttribute(graph, page, 'Resources')
    drawings.push({
      key: page.dictionary,
      content: () => pageContent(graph, page.dictionary),
      resources: resources instanceof PdfDictionary ? resources : new PdfDictionary(),
    })
    const annotations = graph.resolve(page.dictionary.get('Annots'))
    if (!Array.isArray(annotations)) continue
    for (const annotation of annotations) {
      for (const stream of normalAppearances(graph, graph.resolve(annotation))) {
        drawings.push(streamDrawing(graph, stream, new PdfDictionary()))
      }
    }
  }
  return drawings
}

/** 12.5.5: a stream, or one for each state, of which `/AS` chooses. */
function normalAppearances(graph: ObjectGraph, annotation: PdfObject): PdfStream[] {
  const appearances =
    annotation instanceof PdfDictionary ? graph.resolve(annotation.get('AP')) : null
  const normal = appearances instanceof PdfDictionary ? graph.resolve(appearances.get('N')) : null
  if (normal instanceof PdfStream) return [normal]
  if (!(normal instanceof PdfDictionary) || !(annotation instanceof PdfDictionary)) return []
  const state = graph.resolve(annotation.get('AS'))
  const chosen = state instanceof PdfName ? [normal.get(state.value)] : [...normal.values()]
  return chosen.map((one) => graph.resolve(one)).filter((one) => one instanceof PdfStream)
}

function streamDrawing(graph: ObjectGraph, stream: PdfStream, inherited: PdfDictionary): Drawing {
  const own = graph.resolve(stream.dictionary.get('Resources'))
  return {
    key: stream.dictionary,
    content: () => decodeStream(graph, stream) ?? new Uint8Array(),
    // 7.8.3: a form XObject without resources uses those of the page.
    resources: own instanceof PdfDictionary ? own : inherited,
  }
}

/** Every resource dictionary that a drawing can come to, with the ones that lead to it. */
function resourceNodes(
  graph: ObjectGraph,
  drawings: readonly Drawing[],
): Map<PdfDictionary, ResourceNode> {
  const nodes = new Map<PdfDictionary, ResourceNode>()
  const pending: { resources: PdfDictionary; parent: ResourceNode | null }[] = drawings.map(
    ({ resources }) => ({ resources, parent: null }),
  )
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { resources, parent } = next
    const known = nodes.get(resources)
    if (known) {
      if (parent) known.parents.push(parent)
      continue
    }
    const fonts = fontsIn(graph, resources)
    const node = { resources, fonts, parents: parent ? [parent] : [], reachesCandidate: false }
    nodes.set(resources, node)
    for (const child of childResources(graph, resources, fonts)) {
      pending.push({ resources: child, parent: node })
    }
  }
  return nodes
}

function entries(graph: ObjectGraph, resources: PdfDictionary, category: string): PdfObject[] {
  const named = graph.resolve(resources.get(category))
  return named instanceof PdfDictionary ? [...named.values()] : []
}

function fontsIn(graph: ObjectGraph, resources: PdfDictionary): FontResource[] {
  const references = entries(graph, resources, 'Font')
  for (const state of entries(graph, resources, 'ExtGState')) {
    const font = stateFont(graph, graph.resolve(state))
    if (font !== undefined) references.push(font)
  }
  return references.flatMap((reference) => {
    const dictionary = graph.resolve(reference)
    if (!(dictionary instanceof PdfDictionary)) return []
    const objectNumber = reference instanceof PdfReference ? reference.number : null
    return [{ dictionary, objectNumber }]
  })
}

/** 8.4.5: `/Font` of a graphics state is an array of a font and a size. */
function stateFont(graph: ObjectGraph, state: PdfObject): PdfObject | undefined {
  const font = state instanceof PdfDictionary ? graph.resolve(state.get('Font')) : null
  return Array.isArray(font) ? font[0] : undefined
}

function maskGroup(graph: ObjectGraph, state: PdfObject): PdfStream | null {
  const mask = state instanceof PdfDictionary ? graph.resolve(state.get('SMask')) : null
  const group = mask instanceof PdfDictionary ? graph.resolve(mask.get('G')) : null
  return group instanceof PdfStream ? group : null
}

function childResources(
  graph: ObjectGraph,
  resources: PdfDictionary,
  fonts: readonly FontResource[],
): PdfDictionary[] {
  const holders: PdfObject[] = fonts.map(({ dictionary }) => dictionary)
  for (const category of ['XObject', 'Pattern']) {
    for (const item of entries(graph, resources, category)) holders.push(graph.resolve(item))
  }
  for (const state of entries(graph, resources, 'ExtGState')) {
    holders.push(maskGroup(graph, graph.resolve(state)))
  }
  return holders.flatMap((holder) => {
    const dictionary = holder instanceof PdfStream ? holder.dictionary : holder
    const own =
      dictionary instanceof PdfDictionary ? graph.resolve(dictionary.get('Resources')) : null
    return own instanceof PdfDictionary ? [own] : []
  })
}

function markReaching(
  nodes: ReadonlyMap<PdfDictionary, ResourceNode>,
  candidates: ReadonlySet<PdfDictionary>,
): void {
  const pending = [...nodes.values()].filter(({ fonts }) =>
    fonts.some(({ dictionary }) => candidates.has(dictionary)),
  )
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.reachesCandidate) continue
    node.reachesCandidate = true
    pending.push(...node.parents)
  }
}

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
class GlyphSearch {
  readonly #graph: ObjectGraph
  readonly #nodes: ReadonlyMap<PdfDictionary, ResourceNode>
  readonly #candidates: ReadonlySet<PdfDictionary>
  readonly #shown = new Set<PdfDictionary>()
  readonly #pending: Run[] = []
  readonly #done = new Map<PdfDictionary, Set<string>>()
  readonly #fontIds = new Map<PdfDictionary, number>()
  #runs = 0

  constructor(
    graph: ObjectGraph,
    nodes: ReadonlyMap<PdfDictionary, ResourceNode>,
    candidates: ReadonlySet<PdfDictionary>,
  ) {
    this.#graph = graph
    this.#nodes = nodes
    this.#candidates = candidates
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
    const reaches = this.#nodes.get(drawing.resources)?.reachesCandidate ?? false
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
