import { documentCatalog } from '../../pdf/catalog.ts'
import { PdfDictionary, type PdfObject, PdfString } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { ResourceLimitError } from '../../pdf/reading/read-limits.ts'
import { decodeTextString } from '../../pdf/text-string.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { dictionaryAt, hasEntry, itemsAt, placeOf } from './entry.ts'

/** The configurations of the layers: `/D` and `/Configs` (ISO 32000-2, 8.11.4). */
export function checkOptionalContent(validation: Validation, catalogPlace: Place): void {
  const { graph } = validation
  const reference = documentCatalog(graph).get('OCProperties')
  const properties = dictionaryAt(graph, reference)
  if (properties === null) return
  const place = placeOf(reference, catalogPlace)
  const groups = groupsOf(graph, properties)
  const names = new Set<string>()
  const budget = { remaining: maxOrdered }
  const configurations = [properties.get('D'), ...itemsAt(graph, properties.get('Configs'))]
  for (const item of configurations) {
    const dictionary = dictionaryAt(graph, item)
    if (dictionary === null) continue
    const name = textAt(graph, dictionary.get('Name'))
    const configuration = new Configuration(graph, dictionary, groups, budget, name, names)
    validation.check(configurationRules, configuration, placeOf(item, place))
    if (name !== null) names.add(name)
  }
}

function groupsOf(graph: ObjectGraph, properties: PdfDictionary): ReadonlySet<PdfDictionary> {
  const items = itemsAt(graph, properties.get('OCGs')).map((item) => dictionaryAt(graph, item))
  return new Set(items.filter((item) => item !== null))
}

function textAt(graph: ObjectGraph, object: PdfObject | undefined): string | null {
  const value = graph.resolve(object)
  return value instanceof PdfString ? decodeTextString(value) : null
}

/** Items of orders that are looked at, of all configurations together: some may share what they order. */
const maxOrdered = 2_000_000

class Configuration {
  readonly #graph: ObjectGraph
  readonly #dictionary: PdfDictionary
  readonly #groups: ReadonlySet<PdfDictionary>
  readonly #budget: { remaining: number }
  readonly name: string | null
  /** Whether a configuration before this one has the same name. */
  readonly isNameTaken: boolean

  constructor(
    graph: ObjectGraph,
    dictionary: PdfDictionary,
    groups: ReadonlySet<PdfDictionary>,
    budget: { remaining: number },
    name: string | null,
    taken: ReadonlySet<string>,
  ) {
    this.#graph = graph
    this.#dictionary = dictionary
    this.#groups = groups
    this.#budget = budget
    this.name = name
    this.isNameTaken = name !== null && taken.has(name)
  }

  get hasUsageApplication(): boolean {
    return hasEntry(this.#dictionary, 'AS')
  }

  /**
   * Whether `/Order`, if there is one, has every group of the document.
   *
   * @throws {ResourceLimitError}
   */
  get ordersAllGroups(): boolean {
    const order = this.#graph.resolve(this.#dictionary.get('Order'))
    return !Array.isArray(order) || this.#groups.isSubsetOf(this.#groupsIn(order))
  }

  /** Table 99: groups, labels, and arrays of them. */
  #groupsIn(order: PdfObject[]): Set<PdfDictionary> {
    const groups = new Set<PdfDictionary>()
    const seen = new Set<PdfObject>()
    const pending: PdfObject[] = [order]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const item = this.#graph.resolve(next)
      if (item instanceof PdfDictionary) groups.add(item)
      if (!Array.isArray(item) || seen.has(item)) continue
      seen.add(item)
      this.#budget.remaining -= item.length
      if (this.#budget.remaining < 0) {
        throw new ResourceLimitError('The layers are ordered in more ways than are judged')
      }
      for (const one of item) pending.push(one)
    }
    return groups
  }
}

const configurationRules = new RuleSet<Configuration>('optional content configuration', [
  {
    clauses: { '2-3': '6.9 t1' },
    description: 'Configurations of optional content have a name that is not empty',
    holds: ({ name }) => name !== null && name !== '',
  },
  {
    clauses: { '4': '6.10 t1' },
    description: 'Configurations of optional content have a name',
    holds: ({ name }) => name !== null,
  },
  {
    clauses: { '2-3': '6.9 t2', '4': '6.10 t2' },
    description: 'Configurations of optional content have different names',
    holds: ({ isNameTaken }) => !isNameTaken,
    found: ({ name }) => JSON.stringify((name ?? '').slice(0, 80)),
  },
  {
    clauses: { '2-3': '6.9 t3', '4': '6.10 t3' },
    description: 'The order of a configuration (/Order) has every optional content group',
    holds: ({ ordersAllGroups }) => ordersAllGroups,
  },
  {
    clauses: { '2-3': '6.9 t4' },
    description: 'Configurations of optional content have no usage application (/AS)',
    holds: ({ hasUsageApplication }) => !hasUsageApplication,
  },
])
