import { type PdfDictionary, type PdfObject, PdfStream } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { ContentChecks } from '../content/content-checks.ts'
import type { Place } from '../failures.ts'
import type { Validation } from '../validation.ts'
import type { ActionChecks } from './actions.ts'
import { Annotation, annotationRules, widgetRules } from './annotation-rules.ts'
import { checkArtwork } from './artwork.ts'
import type { AssociatedFiles } from './associated-files.ts'
import { dictionaryAt, ItemsOnce, placeOf } from './entry.ts'
import type { FieldTypes } from './field-types.ts'

/** The annotations of pages (ISO 32000-2, 12.5), each once, with their appearances and actions. */
export class AnnotationChecks {
  readonly #validation: Validation
  readonly #content: ContentChecks
  readonly #actions: ActionChecks
  readonly #associated: AssociatedFiles
  readonly #fieldTypes: FieldTypes
  readonly #lists: ItemsOnce
  readonly #judged = new Set<PdfDictionary>()

  constructor(
    validation: Validation,
    content: ContentChecks,
    actions: ActionChecks,
    associated: AssociatedFiles,
    fieldTypes: FieldTypes,
  ) {
    this.#validation = validation
    this.#content = content
    this.#actions = actions
    this.#associated = associated
    this.#fieldTypes = fieldTypes
    this.#lists = new ItemsOnce(validation.graph)
  }

  /** Those of one page. An array that several pages share is walked with the first. */
  checkPage(page: PdfDictionary, pagePlace: Place): void {
    const { graph } = this.#validation
    for (const item of this.#lists.at(page.get('Annots'))) {
      const annotation = dictionaryAt(graph, item)
      if (annotation === null || this.#judged.has(annotation)) continue
      this.#judged.add(annotation)
      this.#check(annotation, page, placeOf(item, pagePlace))
    }
  }

  #check(dictionary: PdfDictionary, page: PdfDictionary, place: Place): void {
    const { graph } = this.#validation
    const { outputColourSpace } = this.#content
    const annotation = new Annotation(graph, dictionary, this.#fieldTypes, outputColourSpace)
    const isWidget = annotation.subtype === 'Widget'
    this.#validation.check(annotationRules, annotation, place)
    if (isWidget) this.#validation.check(widgetRules, annotation, place)

    for (const appearance of appearancesOf(graph, annotation.appearances)) {
      const stream = graph.resolve(appearance)
      if (!(stream instanceof PdfStream)) continue
      this.#content.checkAppearance(stream, page, placeOf(appearance, place))
    }
    if (annotation.subtype === '3D') checkArtwork(this.#validation, dictionary, place)
    this.#associated.add(dictionary)
    this.#actions.check(dictionary.get('A'), place)
    this.#actions.checkAdditional(dictionary.get('AA'), isWidget ? 'widget' : 'annotation', place)
  }
}

/** All that the appearance dictionary holds: normal, rollover and down, and each of their states (12.5.5). */
function appearancesOf(graph: ObjectGraph, appearances: PdfDictionary | null): PdfObject[] {
  if (appearances === null) return []
  return ['N', 'R', 'D'].flatMap((key) => {
    const appearance = appearances.get(key) ?? null
    const states = dictionaryAt(graph, appearance)
    return states === null ? [appearance] : [...states.values()]
  })
}
