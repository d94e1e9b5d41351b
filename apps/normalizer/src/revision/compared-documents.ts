import { documentCatalog } from '../pdf/catalog.ts'
import { ContentBudget } from '../pdf/content/content-budget.ts'
import { type PdfDictionary, type PdfObject, PdfReference } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { listPages, type PdfPage } from '../pdf/page-tree.ts'
import type { Change, ChangeKind } from './change.ts'
import { type FormNode, formNodes } from './form-nodes.ts'
import type { RevisionPair } from './revision-pair.ts'
import {
  type ComparisonBudget,
  type Difference,
  ObjectComparison,
  type Role,
} from './same-object.ts'

/** Changes that are kept; the rest of a document that is altered everywhere adds nothing to the verdict. */
const maxChanges = 5000

/** An annotation that an update put on a page, altered or took away. */
export interface ChangedAnnotation {
  readonly earlier: PdfDictionary | null
  readonly later: PdfDictionary | null
  /** Index into the pages of the earlier document. */
  readonly pageIndex: number
  readonly object: number | null
  readonly isSignature: boolean
}

/** Two states of a document while they are being compared, and what was found so far. */
export class ComparedDocuments {
  readonly before: ObjectGraph
  readonly after: ObjectGraph
  readonly pair: RevisionPair
  readonly earlierPages: readonly PdfPage[]
  readonly laterPages: readonly PdfPage[]
  readonly earlierNodes: ReadonlyMap<string, FormNode>
  readonly laterNodes: ReadonlyMap<string, FormNode>
  readonly #annotations = new Map<PdfDictionary | null, ChangedAnnotation>()

  readonly budget: ComparisonBudget
  /** For what pages and appearances paint. */
  readonly contentBudget = new ContentBudget()
  readonly #comparison: ObjectComparison
  readonly #changes = new Map<string, Change>()

  constructor(pair: RevisionPair, budget: ComparisonBudget) {
    this.pair = pair
    this.budget = budget
    this.before = pair.before
    this.after = pair.after
    this.earlierPages = listPages(pair.before)
    this.laterPages = listPages(pair.after)
    this.earlierNodes = formNodes(pair.before, this.earlierPages)
    this.laterNodes = formNodes(pair.after, this.laterPages)
    this.#comparison = new ObjectComparison(pair, this.#landmarks(), budget)
  }

  get changes(): readonly Change[] {
    return [...this.#changes.values()]
  }

  add(kind: ChangeKind, where: Partial<Omit<Change, 'kind'>> = {}): void {
    const change = { kind, object: null, page: null, field: null, ...where }
    const key = `${kind} ${change.object} ${change.page} ${change.field}`
    if (this.#changes.size < maxChanges && !this.#changes.has(key)) this.#changes.set(key, change)
  }

  /** Each once, however many of its entries changed. */
  get annotations(): readonly ChangedAnnotation[] {
    return [...this.#annotations.values()]
  }

  addAnnotation(annotation: ChangedAnnotation): void {
    this.#annotations.set(annotation.later ?? annotation.earlier, annotation)
  }

  difference(
    earlier: PdfObject | undefined,
    later: PdfObject | undefined,
    holder: number | null,
    role: Role = null,
  ): Difference | null {
    return this.#comparison.difference(earlier, later, holder, role)
  }

  /** The difference between what two dictionaries have under one key. */
  entryDifference(
    earlier: PdfDictionary,
    later: PdfDictionary,
    key: string,
    holder: number | null,
  ): Difference | null {
    return this.difference(earlier.get(key), later.get(key), holder)
  }

  #landmarks(): Set<number> {
    const landmarks = new Set<number>()
    for (const { reference } of [...this.earlierPages, ...this.laterPages])
      if (reference !== null) landmarks.add(reference.number)
    for (const { trailer } of [this.before, this.after]) {
      const root = trailer.get('Root')
      if (root instanceof PdfReference) landmarks.add(root.number)
    }
    return landmarks
  }
}

export function catalogsOf({ before, after }: ComparedDocuments): [PdfDictionary, PdfDictionary] {
  return [documentCatalog(before), documentCatalog(after)]
}

/** The keys of both dictionaries, each once. */
export function unitedKeys(earlier: PdfDictionary, later: PdfDictionary): Set<string> {
  return new Set([...earlier.keys(), ...later.keys()])
}

export function numberOf(object: PdfObject | undefined): number | null {
  return object instanceof PdfReference ? object.number : null
}
