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

/** The structure types of a document, and which of them the standard defines. */
export class RoleMap {
  readonly #graph: ObjectGraph
  readonly #map: PdfDictionary | null
  readonly #standard: ReadonlySet<string>
  readonly #roles = new Map<string, Role>()

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
    const role = this.#roles.get(type) ?? this.#follow(type)
    this.#roles.set(type, role)
    return role
  }

  #follow(type: string): Role {
    const first = this.#next(type)
    if (first === null) return this.isStandard(type) ? 'standard' : 'unknown'
    // Also where the type is mapped to itself.
    if (this.isStandard(first)) return 'standard'
    const seen = new Set([type])
    let next: string | null = first
    while (next !== null) {
      if (seen.has(next)) return 'circular'
      if (this.isStandard(next)) return 'standard'
      seen.add(next)
      next = this.#next(next)
    }
    return 'unknown'
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
