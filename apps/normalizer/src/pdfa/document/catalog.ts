import { documentCatalog } from '../../pdf/catalog.ts'
import type { PdfDictionary } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { dictionaryOf } from '../../pdf/walk-direct.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import { checkLanguage } from '../text-rules.ts'
import type { Validation } from '../validation.ts'
import type { ActionChecks } from './actions.ts'
import { dictionaryAt, entryKeys, hasEntry, placeOf } from './entry.ts'

/** The catalog's own entries (ISO 32000-2, 7.7.2): its actions, its language and its permissions. */
export function checkCatalog(validation: Validation, actions: ActionChecks, place: Place): void {
  const { graph } = validation
  const catalog = documentCatalog(graph)
  validation.check(catalogRules, new Catalog(graph, catalog), place)
  checkLanguage(validation, catalog.get('Lang'), place)
  actions.check(catalog.get('OpenAction'), place)
  actions.checkAdditional(catalog.get('AA'), 'catalog', place)

  const permissions = dictionaryOf(graph.resolve(catalog.get('Perms')))
  if (permissions === null) return
  const keys = entryKeys(permissions)
  validation.check(permissionsRules, { keys }, placeOf(catalog.get('Perms'), place))
}

class Catalog {
  readonly #graph: ObjectGraph
  readonly #dictionary: PdfDictionary

  constructor(graph: ObjectGraph, dictionary: PdfDictionary) {
    this.#graph = graph
    this.#dictionary = dictionary
  }

  get hasAdditionalActions(): boolean {
    return hasEntry(this.#dictionary, 'AA')
  }

  get hasAlternatePresentations(): boolean {
    const names = dictionaryOf(this.#graph.resolve(this.#dictionary.get('Names')))
    return names !== null && hasEntry(names, 'AlternatePresentations')
  }

  get hasStructure(): boolean {
    return dictionaryAt(this.#graph, this.#dictionary.get('StructTreeRoot')) !== null
  }
}

const catalogRules = new RuleSet<Catalog>('document', [
  {
    clauses: { '1': '6.6.2 t3', '2-3': '6.5.2 t1' },
    description: 'The catalog has no additional actions (/AA)',
    holds: ({ hasAdditionalActions }) => !hasAdditionalActions,
  },
  {
    clauses: { '2-3': '6.10 t1', '4': '6.11 t1' },
    description: 'The name dictionary has no alternate presentations',
    holds: ({ hasAlternatePresentations }) => !hasAlternatePresentations,
  },
  {
    clauses: { '1a': '6.8.3.3 t1', '2a 3a': '6.7.3.3 t1' },
    description: 'The document has a logical structure (/StructTreeRoot)',
    holds: ({ hasStructure }) => hasStructure,
  },
])

interface Permissions {
  readonly keys: readonly string[]
}

const permissionsRules = new RuleSet<Permissions>('permissions', [
  {
    clauses: { '2-3': '6.1.12 t1', '4': '6.1.11 t1' },
    description: 'The permissions are those of usage rights (/UR3) and of certification (/DocMDP)',
    holds: (facts) => others(facts).length === 0,
    found: (facts) =>
      others(facts)
        .map((key) => `/${key}`)
        .join(' '),
  },
])

function others({ keys }: Permissions): string[] {
  return keys.filter((key) => key !== 'UR3' && key !== 'DocMDP')
}
