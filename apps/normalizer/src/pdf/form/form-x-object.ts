import type { AcroForm } from './acro-form.ts'
import { isName, PdfName, type PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'

/**
 * As an annotation's appearance a stream is a form XObject whatever it says (ISO 32000-2, 12.5.5); to be drawn by name
 * it has to say so. false if it says that it is something else.
 */
export function makeFormXObject(
  graph: ObjectGraph,
  { dictionary }: PdfStream,
  form: AcroForm | null,
): boolean {
  const subtype = graph.resolve(dictionary.get('Subtype'))
  if (isName(subtype) && subtype.value !== 'Form') return false
  dictionary.set('Type', new PdfName('XObject'))
  dictionary.set('Subtype', new PdfName('Form'))
  // Without its own it would take the page's; viewers take the form's.
  if (graph.resolve(dictionary.get('Resources')) === null && form?.resources) {
    dictionary.set('Resources', form.resources)
  }
  return true
}
