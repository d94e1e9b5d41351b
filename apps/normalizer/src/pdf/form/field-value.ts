import { type FormField, fieldFlags, textOf } from './acro-form.ts'
import { type PdfDictionary, PdfName, PdfString } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { plainText } from './plain-text.ts'
import { decodeTextString } from '../text-string.ts'
import { dictionaryOf } from '../walk-direct.ts'

/** An option of a choice: what it stands for and what is shown. */
export interface Option {
  readonly value: string
  readonly shown: string
}

/** The value of a text field as a viewer shows it. */
export function shownText(graph: ObjectGraph, field: FormField): string {
  const text = plainText(textOf(graph, field.value) ?? '')
  // Table 231: a password is shown as characters that do not tell it.
  return (field.flags & fieldFlags.password) === 0 ? text : '*'.repeat(Array.from(text).length)
}

/** 12.7.5.4: each is a text or a pair of value and text. */
export function optionsOf(graph: ObjectGraph, { options }: FormField): Option[] {
  if (!Array.isArray(options)) return []
  return options.map((entry) => {
    const option = graph.resolve(entry)
    const [value, shown] = Array.isArray(option) ? option : [option, option]
    const text = plainText(textOf(graph, shown ?? value) ?? '')
    return { value: textOf(graph, value) ?? text, shown: text }
  })
}

/**
 * Options that are chosen. `/I` tells which of several with the same value, and counts alone where there is no value;
 * where the two differ the value does (table 234).
 */
export function selectedIndexes(
  graph: ObjectGraph,
  field: FormField,
  options: readonly Option[],
): Set<number> {
  const indexes = new Set(field.selectedIndexes.filter((index) => index in options))
  const values = selectedValues(graph, field)
  if (values.size === 0) return field.value === null ? indexes : new Set()
  const isChosen = ({ value, shown }: Option): boolean => values.has(value) || values.has(shown)
  const agrees =
    indexes.size > 0 &&
    [...indexes].every((index) => {
      const option = options[index]
      return option !== undefined && isChosen(option)
    })
  if (agrees && indexes.size >= values.size) return indexes
  return new Set([...options.entries()].filter(([, one]) => isChosen(one)).map(([index]) => index))
}

/** What a combo box shows: the text of the chosen option, or what was typed. */
export function chosenText(graph: ObjectGraph, field: FormField): string {
  const [chosen] = selectedValues(graph, field)
  const options = optionsOf(graph, field)
  if (chosen === undefined) {
    const [index] = field.value === null ? field.selectedIndexes : []
    return index === undefined ? '' : (options[index]?.shown ?? '')
  }
  return options.find(({ value }) => value === chosen)?.shown ?? plainText(chosen)
}

/**
 * Whether a check box or radio button is on (12.7.5.2.3): `/AS` says it. Without one the value of the field does, but
 * not which of several buttons it means, unless their names are counted up.
 */
export function isOn(graph: ObjectGraph, widget: PdfDictionary, field: FormField): boolean {
  const state = graph.resolve(widget.get('AS'))
  if (state instanceof PdfName) return state.value !== 'Off'
  const value = buttonValue(field)
  if (value === null || value === 'Off' || value === '') return false
  const parent = dictionaryOf(graph.resolve(widget.get('Parent')))
  const kids = parent && graph.resolve(parent.get('Kids'))
  if (!Array.isArray(kids) || kids.length < 2 || widget.has('T')) return true
  return kids.findIndex((kid) => dictionaryOf(graph.resolve(kid)) === widget) === Number(value)
}

/** The name of the state that is on; some writers give it as a string. */
export function buttonValue({ value }: FormField): string | null {
  if (value instanceof PdfName) return value.value
  return value instanceof PdfString ? decodeTextString(value) : null
}

function selectedValues(graph: ObjectGraph, { value }: FormField): Set<string> {
  const values = Array.isArray(value) ? value : [value]
  return new Set(values.map((item) => textOf(graph, item)).filter((text) => text !== null))
}
