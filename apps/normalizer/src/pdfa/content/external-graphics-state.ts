import { PdfDictionary, PdfName, type PdfObject, PdfStream, PdfString } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { hasEntry, placeOf } from '../document/entry.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { checkBlendMode } from './blend-mode.ts'
import { checkRenderingIntent } from './rendering-intent.ts'

/** The dictionary that `gs` names (ISO 32000-2, 8.4.5). */
export function checkExternalGraphicsState(
  validation: Validation,
  state: PdfDictionary,
  place: Place,
): void {
  const { graph } = validation
  validation.check(stateRules, new ExternalState(graph, state), place)
  checkRenderingIntent(validation, state.get('RI'), place, true)
  checkBlendMode(validation, state.get('BM'), place)
  checkHalftone(validation, state.get('HT'), place)
}

class ExternalState {
  readonly #graph: ObjectGraph
  readonly #state: PdfDictionary

  constructor(graph: ObjectGraph, state: PdfDictionary) {
    this.#graph = graph
    this.#state = state
  }

  has(key: string): boolean {
    return hasEntry(this.#state, key)
  }

  /** The name's text; null for anything else. */
  name(key: string): string | null {
    const value = this.#graph.resolve(this.#state.get(key))
    return value instanceof PdfName ? value.value : null
  }

  isOpaque(key: string): boolean {
    if (!this.has(key)) return true
    const alpha = this.#graph.resolve(this.#state.get(key))
    return typeof alpha === 'number' && Math.abs(alpha - 1) < 0.000001
  }
}

const stateRules = new RuleSet<ExternalState>('graphics state parameters', [
  {
    clauses: { '1': '6.2.8 t1', '2-4': '6.2.5 t1' },
    description: 'Graphics state parameters have no transfer function (/TR)',
    holds: (state) => !state.has('TR'),
  },
  {
    clauses: { '1': '6.2.8 t2', '2-4': '6.2.5 t2' },
    description: 'The transfer function /TR2 of graphics state parameters is Default',
    holds: (state) => !state.has('TR2') || state.name('TR2') === 'Default',
  },
  {
    clauses: { '2-3': '6.2.5 t3' },
    description: 'Graphics state parameters have no halftone phase (/HTP)',
    holds: (state) => !state.has('HTP'),
  },
  {
    clauses: { '4': '6.2.5 t3' },
    description: 'Graphics state parameters have no halftone origin (/HTO)',
    holds: (state) => !state.has('HTO'),
  },
  {
    clauses: { '1': '6.4 t1' },
    description: 'Graphics state parameters have no soft mask other than None',
    holds: (state) => !state.has('SMask') || state.name('SMask') === 'None',
  },
  {
    clauses: { '1': '6.4 t4' },
    description: 'The blend mode of graphics state parameters is Normal or Compatible',
    holds: (state) => !state.has('BM') || isPlainMode(state.name('BM')),
  },
  {
    clauses: { '1': '6.4 t5' },
    description: 'Graphics state parameters stroke opaquely: /CA is 1.0',
    holds: (state) => state.isOpaque('CA'),
  },
  {
    clauses: { '1': '6.4 t6' },
    description: 'Graphics state parameters fill opaquely: /ca is 1.0',
    holds: (state) => state.isOpaque('ca'),
  },
])

function isPlainMode(mode: string | null): boolean {
  return mode === 'Normal' || mode === 'Compatible'
}

/** A halftone and, of one that gives each colorant its own, all of those (10.6.5). */
function checkHalftone(validation: Validation, object: PdfObject | undefined, place: Place): void {
  const { graph } = validation
  const value = graph.resolve(object)
  if (value instanceof PdfName && value.value !== 'Default') {
    validation.check(halftoneRules, foreignHalftone, place)
    return
  }
  const halftone = dictionaryOf(graph, value)
  if (halftone === null) return
  const own = placeOf(object, place)
  validation.check(halftoneRules, halftoneFacts(graph, halftone, null), own)
  if (graph.resolve(halftone.get('HalftoneType')) !== 5) return
  for (const [colorant, entry] of halftone) {
    const part = dictionaryOf(graph, entry)
    if (part === null) continue
    validation.check(halftoneRules, halftoneFacts(graph, part, colorant), placeOf(entry, own))
  }
}

function dictionaryOf(graph: ObjectGraph, object: PdfObject | undefined): PdfDictionary | null {
  const value = graph.resolve(object)
  if (value instanceof PdfStream) return value.dictionary
  return value instanceof PdfDictionary ? value : null
}

interface Halftone {
  readonly type: PdfObject
  readonly hasName: boolean
  readonly hasTransferFunction: boolean
  /** Of the colorants of a halftone; null for the halftone itself. */
  readonly colorant: string | null
}

/** One that a device knows by its name. */
const foreignHalftone: Halftone = {
  type: null,
  hasName: true,
  hasTransferFunction: false,
  colorant: null,
}

function halftoneFacts(
  graph: ObjectGraph,
  halftone: PdfDictionary,
  colorant: string | null,
): Halftone {
  return {
    type: graph.resolve(halftone.get('HalftoneType')),
    hasName: graph.resolve(halftone.get('HalftoneName')) instanceof PdfString,
    hasTransferFunction: hasEntry(halftone, 'TransferFunction'),
    colorant,
  }
}

/** Colorants that every device has, for which output is left to the device. */
const primaries: ReadonlySet<string | null> = new Set([null, 'Cyan', 'Magenta', 'Yellow', 'Black'])

const halftoneRules = new RuleSet<Halftone>('halftone', [
  {
    clauses: { '2-4': '6.2.5 t4' },
    description: 'Halftones are of type 1 or 5',
    holds: ({ type }) => type === 1 || type === 5,
    found: ({ type }) => (typeof type === 'number' ? String(type) : 'none'),
  },
  {
    clauses: { '2-4': '6.2.5 t5' },
    description: 'Halftones have no name (/HalftoneName)',
    holds: ({ hasName }) => !hasName,
  },
  {
    clauses: { '2-4': '6.2.5 t6' },
    description:
      'Halftones have a transfer function for spot colours and none for the colorants of process colours',
    holds: ({ colorant, hasTransferFunction }) =>
      colorant === 'Default' || primaries.has(colorant) !== hasTransferFunction,
  },
])
