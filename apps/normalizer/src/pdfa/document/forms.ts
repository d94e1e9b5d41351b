import { documentCatalog } from '../../pdf/catalog.ts'
import type { PdfDictionary, PdfObject } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { dictionaryOf } from '../../pdf/walk-direct.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import type { ActionChecks } from './actions.ts'
import { hasEntry, ItemsOnce, placeOf } from './entry.ts'
import type { FieldTypes } from './field-types.ts'
import { SignatureChecks } from './signatures.ts'

/** The interactive form and its fields (ISO 32000-2, 12.7). A stream in the place of a dictionary counts as one. */
export function checkForm(
  validation: Validation,
  actions: ActionChecks,
  fieldTypes: FieldTypes,
  catalogPlace: Place,
): void {
  const { graph } = validation
  const reference = documentCatalog(graph).get('AcroForm')
  const form = dictionaryOf(graph.resolve(reference))
  if (form === null) return
  const place = placeOf(reference, catalogPlace)
  validation.check(formRules, new Form(graph, form), place)
  const signatures = new SignatureChecks(validation)
  for (const field of formFields(graph, form, place)) {
    const hasAdditionalActions = hasEntry(field.dictionary, 'AA')
    validation.check(fieldRules, { hasAdditionalActions }, field.place)
    actions.checkAdditional(field.dictionary.get('AA'), 'field', field.place)
    if (fieldTypes.of(field.dictionary) === 'Sig') {
      signatures.check(field.dictionary.get('V'), field.place)
    }
  }
}

interface Field {
  readonly dictionary: PdfDictionary
  readonly place: Place
}

/** Each field once, parents first. */
function* formFields(graph: ObjectGraph, form: PdfDictionary, formPlace: Place): Generator<Field> {
  const seen = new Set<PdfDictionary>()
  const lists = new ItemsOnce(graph)
  const pending = lists.at(form.get('Fields')).map((item) => ({ item, holder: formPlace }))
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const dictionary = dictionaryOf(graph.resolve(next.item))
    if (dictionary === null || seen.has(dictionary)) continue
    seen.add(dictionary)
    const place = placeOf(next.item, next.holder)
    yield { dictionary, place }
    for (const item of fieldKids(graph, lists.at(dictionary.get('Kids'))))
      pending.push({ item, holder: place })
  }
}

/** 12.7.4.2: kids with a name of their own are fields; the others are widgets. */
function fieldKids(graph: ObjectGraph, kids: readonly PdfObject[]): PdfObject[] {
  return kids.filter((kid) => {
    const dictionary = dictionaryOf(graph.resolve(kid))
    return dictionary !== null && hasEntry(dictionary, 'T')
  })
}

class Form {
  readonly #graph: ObjectGraph
  readonly #dictionary: PdfDictionary

  constructor(graph: ObjectGraph, dictionary: PdfDictionary) {
    this.#graph = graph
    this.#dictionary = dictionary
  }

  /** Whether viewers are asked to make appearances; by anything but `false`. */
  get needsAppearances(): boolean {
    const value = this.#dictionary.get('NeedAppearances')
    if (value === undefined || value === null) return false
    return this.#graph.resolve(value) !== false
  }

  get hasXfa(): boolean {
    return hasEntry(this.#dictionary, 'XFA')
  }
}

const formRules = new RuleSet<Form>('interactive form', [
  {
    clauses: { '1': '6.9 t1', '2-3': '6.4.1 t3', '4': '6.4.1 t2' },
    description: 'The form does not ask viewers to make appearances (/NeedAppearances)',
    holds: ({ needsAppearances }) => !needsAppearances,
  },
  {
    clauses: { '2-4': '6.4.2 t1' },
    description: 'The form has no XFA resource',
    holds: ({ hasXfa }) => !hasXfa,
  },
])

const fieldRules = new RuleSet<{ readonly hasAdditionalActions: boolean }>('form field', [
  {
    clauses: { '1': '6.6.2 t2', '2-3': '6.4.1 t2' },
    description: 'Form fields have no additional actions (/AA)',
    holds: ({ hasAdditionalActions }) => !hasAdditionalActions,
  },
  {
    clauses: { '2-3': '6.5.2 t4' },
    description: 'Form fields have no additional actions (/AA)',
    holds: ({ hasAdditionalActions }) => !hasAdditionalActions,
  },
])
