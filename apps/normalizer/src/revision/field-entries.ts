import { PdfName, type PdfObject, PdfString } from '../pdf/object.ts'
import { decodeTextString } from '../pdf/text-string.ts'
import { appearanceMarks } from './appearance-marks.ts'
import type { ComparedDocuments } from './compared-documents.ts'
import type { FormNode } from './form-nodes.ts'
import { isHidden } from './page-annotations.ts'

/** Whether two text strings hold the same text (7.9.2.2): it can be written in three encodings. */
export function saysTheSame(
  { before, after }: ComparedDocuments,
  earlier: PdfObject | undefined,
  later: PdfObject | undefined,
): boolean {
  const [left, right] = [before.resolve(earlier), after.resolve(later)]
  if (!(left instanceof PdfString) || !(right instanceof PdfString)) return false
  return decodeTextString(left) === decodeTextString(right)
}

/** Whether a field with this value is one that was not filled in. */
export function isEmptyValue(value: PdfObject): boolean {
  if (value === null) return true
  if (value instanceof PdfString) return value.bytes.length === 0
  if (Array.isArray(value)) return value.length === 0
  return value instanceof PdfName && (value.value === 'Off' || value.value === '')
}

/** Whether a widget that shows something is hidden, or one that was hidden is shown. */
export function appearsOrVanishes(
  { before, after, contentBudget }: ComparedDocuments,
  earlier: FormNode,
  later: FormNode,
): boolean {
  if (isHidden(before, earlier.dictionary) === isHidden(after, later.dictionary)) return false
  if (!isEmptyValue(before.resolve(earlier.value))) return true
  return (appearanceMarks(before, earlier.dictionary, contentBudget) ?? []).some(
    ({ kind, visible }) => visible && kind !== 'path',
  )
}

/** Whether no other flags of a field changed than those of all kinds: that it is read-only, required or not exported. */
export function staysTheKind(
  { before, after }: ComparedDocuments,
  { dictionary: earlier }: FormNode,
  { dictionary: later }: FormNode,
): boolean {
  // Without flags of its own it has those of the field above it.
  if (earlier.has('Parent') && earlier.has('Ff') !== later.has('Ff')) return false
  const [left, right] = [before.resolve(earlier.get('Ff')), after.resolve(later.get('Ff'))].map(
    (flags) => flags ?? 0,
  )
  return typeof left === 'number' && typeof right === 'number' && ((left ^ right) & ~7) === 0
}
