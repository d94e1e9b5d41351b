import { removeAnnotations } from '../pdf/form/annotation.ts'
import { type AcroForm, acroFormOf } from '../pdf/form/acro-form.ts'
import { findWidgets, flattenForm, removeForm } from '../pdf/form/flatten-form.ts'
import type { PdfDictionary } from '../pdf/object.ts'
import { isPreserved } from '../preserved.ts'
import type { DocumentInProgress, Stage } from '../stage.ts'

/** Turns interactive forms into content (decision 2.15) and, when asked to, takes all annotations away. */
export const acroFormHandling: Stage = {
  name: 'AcroFormHandling',

  run(document) {
    const { graph } = document.file
    const form = acroFormOf(graph)
    const widgets = findWidgets(graph)
    const isInteractive = hasContent(form, widgets)
    if (isPreserved(document)) return isInteractive ? 'preserved' : 'no_forms'

    const hadAnnotations = document.options.removeAnnotations && widgets.size > 0
    if (isInteractive) flatten(document, form, widgets)
    else removeForm(graph, form)
    if (document.options.removeAnnotations) {
      const removed = removeAnnotations(graph)
      document.findings.security.annotationsRemoved = removed > 0 || hadAnnotations
    }
    return isInteractive ? 'flattened' : 'no_forms'
  },
}

/** A form without fields, widgets and XFA is a leftover that shows nothing. */
function hasContent(form: AcroForm | null, widgets: ReadonlySet<PdfDictionary>): boolean {
  return widgets.size > 0 || (form !== null && (form.hasFields || form.hasXfa))
}

function flatten(
  { file, findings }: DocumentInProgress,
  form: AcroForm | null,
  widgets: ReadonlySet<PdfDictionary>,
): void {
  const { placed, lacking } = flattenForm(file.graph, form, widgets)
  findings.security.acroformFlattened = true
  if (form?.isDynamicXfa) {
    findings.warn(
      'XFA_CONTENT_LOST',
      'The document is described in XFA, of which its pages hold none or an earlier state. The XFA was removed.',
    )
  } else if (form?.hasXfa && placed === 0) {
    findings.warn(
      'XFA_CONTENT_LOST',
      'The form is described in XFA alone. It was removed, and the file has no appearances to put in its place.',
    )
  }
  if (lacking > 0) {
    findings.warn(
      'FIELD_TEXT_LOST',
      `The fonts of the form lack characters of its values: ${lacking} ${lacking === 1 ? 'field shows' : 'fields show'} question marks instead.`,
    )
  }
}
