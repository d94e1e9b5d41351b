import { isName, type PdfDictionary } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { hasEntry } from '../document/entry.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'

/** A form XObject that is drawn, or an appearance (ISO 32000-2, 8.10). */
export function checkForm(validation: Validation, form: PdfDictionary, place: Place): void {
  validation.check(formRules, new Form(validation.graph, form), place)
}

/** An external object that is no image and no form: a program in PostScript. */
export function checkPostScript(validation: Validation, place: Place): void {
  validation.check(postScriptRules, null, place)
}

class Form {
  readonly #graph: ObjectGraph
  readonly #form: PdfDictionary

  constructor(graph: ObjectGraph, form: PdfDictionary) {
    this.#graph = graph
    this.#form = form
  }

  has(key: string): boolean {
    return hasEntry(this.#form, key)
  }

  get isPostScript(): boolean {
    return this.has('PS') || isName(this.#graph.resolve(this.#form.get('Subtype2')), 'PS')
  }
}

const formRules = new RuleSet<Form>('form XObject', [
  {
    clauses: { '1': '6.2.5 t1' },
    description: 'Form XObjects hold no PostScript',
    holds: ({ isPostScript }) => !isPostScript,
  },
  {
    clauses: { '2-3': '6.2.9.1 t1' },
    description: 'Form XObjects hold no PostScript and are not replaced before printing (/OPI)',
    holds: (form) => !form.isPostScript && !form.has('OPI'),
  },
  {
    clauses: { '1': '6.2.4 t2', '4': '6.2.8.1 t1' },
    description: 'Form XObjects are not replaced before printing (/OPI)',
    holds: (form) => !form.has('OPI'),
  },
  {
    clauses: { '1': '6.2.6 t1', '2-3': '6.2.9.2 t1', '4': '6.2.8.2 t1' },
    description: 'Form XObjects show no page of another document (/Ref)',
    holds: (form) => !form.has('Ref'),
  },
  {
    clauses: { '1': '6.4 t2' },
    description: 'Form XObjects have no soft mask (/SMask)',
    holds: (form) => !form.has('SMask'),
  },
])

const postScriptRules = new RuleSet<null>('PostScript XObject', [
  {
    clauses: { '1': '6.2.7 t1', '2-3': '6.2.9.3 t1' },
    description: 'PostScript XObjects are not drawn',
    holds: () => false,
  },
])
