import type { PdfDictionary, PdfObject } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { dictionaryAt, entryKeys, ItemsOnce, nameAt, placeOf } from './entry.ts'

/** What holds a dictionary of additional actions (ISO 32000-2, 12.6.3). */
export type TriggerHolder = keyof typeof triggers

/** Tables 197 to 200: the events of each kind of holder. Others lead to no action. */
const triggers = {
  catalog: ['WC', 'WS', 'DS', 'WP', 'DP'],
  page: ['O', 'C'],
  annotation: ['E', 'X', 'D', 'U', 'Fo', 'Bl', 'PO', 'PC', 'PV', 'PI'],
  widget: ['E', 'X', 'D', 'U', 'Fo', 'Bl', 'PO', 'PC', 'PV', 'PI'],
  field: ['K', 'F', 'V', 'C'],
} as const

/** Actions from wherever they are set off, each once (ISO 32000-2, 12.6). */
export class ActionChecks {
  readonly #validation: Validation
  readonly #judged = new Set<PdfDictionary>()
  readonly #chains: ItemsOnce

  constructor(validation: Validation) {
    this.#validation = validation
    this.#chains = new ItemsOnce(validation.graph)
  }

  /** An action, and those that follow it. */
  check(action: PdfObject | undefined, holder: Place): void {
    const { graph } = this.#validation
    const pending = [{ action, holder }]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const dictionary = dictionaryAt(graph, next.action)
      if (dictionary === null || this.#judged.has(dictionary)) continue
      this.#judged.add(dictionary)
      const place = placeOf(next.action, next.holder)
      this.#judge(dictionary, place)
      const following = dictionary.get('Next') ?? null
      const actions = Array.isArray(graph.resolve(following))
        ? this.#chains.at(following)
        : [following]
      for (const one of actions) pending.push({ action: one, holder: place })
    }
  }

  /** The dictionary under `/AA`, and the actions of its events. */
  checkAdditional(additional: PdfObject | undefined, of: TriggerHolder, holder: Place): void {
    const dictionary = dictionaryAt(this.#validation.graph, additional)
    if (dictionary === null) return
    const place = placeOf(additional, holder)
    this.#validation.check(additionalActionsRules, { of, keys: entryKeys(dictionary) }, place)
    for (const event of triggers[of]) this.check(dictionary.get(event), place)
  }

  #judge(dictionary: PdfDictionary, place: Place): void {
    const { graph } = this.#validation
    const type = nameAt(graph, dictionary.get('S'))
    this.#validation.check(actionRules, { type }, place)
    if (type === 'Named')
      this.#validation.check(namedActionRules, namedAction(graph, dictionary), place)
  }
}

interface Action {
  readonly type: string | null
}

const typesOfPart1 = new Set(['GoTo', 'GoToR', 'Thread', 'URI', 'Named', 'SubmitForm'])
const typesOfParts2And3 = typesOfPart1.union(new Set(['GoToE']))
const typesOfPart4 = typesOfParts2And3.union(new Set(['JavaScript', 'RichMediaExecute', 'GoToDp']))
const typesOfPart4e = typesOfPart4.union(new Set(['SetOCGState', 'GoTo3DView']))

const actionRules = new RuleSet<Action>('action', [
  {
    clauses: { '1': '6.6.1 t1' },
    description:
      'Actions only go to places and addresses, follow threads, submit forms or are named',
    holds: ({ type }) => isOneOf(typesOfPart1, type),
    found: foundType,
  },
  {
    clauses: { '2-3': '6.5.1 t1' },
    description:
      'Actions only go to places and addresses, follow threads, submit forms or are named',
    holds: ({ type }) => isOneOf(typesOfParts2And3, type),
    found: foundType,
  },
  {
    clauses: { '4 alone': '6.6.1 t1', '4f': '6.6.1 t1' },
    description: 'Actions are of no type that is forbidden or that ISO 32000-2 does not define',
    holds: ({ type }) => isOneOf(typesOfPart4, type),
    found: foundType,
  },
  {
    clauses: { '4e': '6.6.1 t1' },
    description: 'Actions are of no type that is forbidden or that ISO 32000-2 does not define',
    holds: ({ type }) => isOneOf(typesOfPart4e, type),
    found: foundType,
  },
])

function isOneOf(types: ReadonlySet<string>, type: string | null): boolean {
  return type !== null && types.has(type)
}

function foundType({ type }: Action): string {
  return type === null ? 'no type' : `/${type}`
}

interface NamedAction {
  readonly name: string | null
}

function namedAction(graph: ObjectGraph, dictionary: PdfDictionary): NamedAction {
  return { name: nameAt(graph, dictionary.get('N')) }
}

const pageTurns = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage'])

const namedActionRules = new RuleSet<NamedAction>('named action', [
  {
    clauses: { '1': '6.6.1 t2', '2-3': '6.5.1 t2', '4': '6.6.1 t2' },
    description: 'Named actions turn to the next, previous, first or last page',
    holds: ({ name }) => isOneOf(pageTurns, name),
    found: ({ name }) => (name === null ? 'no name' : `/${name}`),
  },
])

interface AdditionalActions {
  readonly of: TriggerHolder
  readonly keys: readonly string[]
}

const ofPointerAndFocus = new Set(['E', 'X', 'D', 'U', 'Fo', 'Bl'])

const additionalActionsRules = new RuleSet<AdditionalActions>('additional actions', [
  {
    clauses: { '4': '6.6.3 t1' },
    description:
      'Additional actions of catalog, pages and annotations follow pointer and focus only',
    holds: (facts) =>
      facts.of === 'widget' || facts.of === 'field' || otherKeys(facts).length === 0,
    found: (facts) =>
      otherKeys(facts)
        .map((key) => `/${key}`)
        .join(' '),
  },
])

function otherKeys({ keys }: AdditionalActions): string[] {
  return keys.filter((key) => !ofPointerAndFocus.has(key))
}
