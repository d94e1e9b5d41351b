import type { PdfDictionary } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { Part } from '../flavour.ts'
import { nameAt } from './entry.ts'

/** Where the role map leads from a structure type (ISO 32000-2, 14.7.3). */
export type Role =
  /** To a type of the standard; the type may be that itself. */
  | 'standard'
  /** To a type that neither the standard nor the map knows. */
  | 'unknown'
  /** Back to where it came from. */
  | 'circular'

interface End {
  readonly role: Role
  /** The type of the standard, if it is one. */
  readonly type: string | null
}

const unknown: End = { role: 'unknown', type: null }
const circular: End = { role: 'circular', type: null }

/** The structure types of a document, and which of them the standard defines. */
export class RoleMap {
  readonly #graph: ObjectGraph
  readonly #map: PdfDictionary | null
  readonly #standard: ReadonlySet<string>
  readonly #ends = new Map<string, End>()

  constructor(graph: ObjectGraph, map: PdfDictionary | null, part: Part) {
    this.#graph = graph
    this.#map = map
    this.#standard = part === 1 ? typesOfPdf14 : typesOfPdf17
  }

  isStandard(type: string | null): boolean {
    return type !== null && this.#standard.has(type)
  }

  /** What the map makes of the type; for a type of the standard, too, if the map has it. */
  roleOf(type: string | null): Role {
    if (type === null) return 'unknown'
    const next = this.#next(type)
    if (!this.isStandard(type)) return this.#endOf(type).role
    // Also where the type is mapped to itself.
    if (next === null || this.isStandard(next)) return 'standard'
    const end = this.#endOf(next)
    return end.type === type ? 'circular' : end.role
  }

  /** Where a type that the standard does not define leads to. All types on the way lead there. */
  #endOf(type: string): End {
    const way: string[] = []
    let next: string | null = type
    let end: End | undefined
    while (end === undefined) {
      if (next === null) end = unknown
      else if (this.isStandard(next)) end = { role: 'standard', type: next }
      else {
        end = this.#ends.get(next)
        // Until the end is known, what is met again leads in a circle.
        this.#ends.set(next, end ?? circular)
        way.push(next)
        next = this.#next(next)
      }
    }
    for (const passed of way) this.#ends.set(passed, end)
    return end
  }

  #next(type: string): string | null {
    return nameAt(this.#graph, this.#map?.get(type))
  }
}

/** PDF Reference 1.4, 9.7.4. */
const typesOfPdf14 = types(
  'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private',
  'P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD',
  'Span Quote Note Reference BibEntry Code Link Figure Formula Form',
)

/** ISO 32000-1, 14.8.4. */
const typesOfPdf17 = typesOfPdf14.union(
  types('THead TBody TFoot Annot Ruby RB RT RP Warichu WT WP'),
)

function types(...lines: string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
