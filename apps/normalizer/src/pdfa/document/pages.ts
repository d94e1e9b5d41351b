import { inheritedAttribute, listPages, type PdfPage } from '../../pdf/page-tree.ts'
import { type Rectangle, rectangleOf } from '../../pdf/rectangle.ts'
import type { ContentChecks } from '../content/content-checks.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import type { ActionChecks } from './actions.ts'
import { AnnotationChecks } from './annotations.ts'
import type { AssociatedFiles } from './associated-files.ts'
import { hasEntry } from './entry.ts'
import type { FieldTypes } from './field-types.ts'

/** Every page: its own entries, its content, its annotations (ISO 32000-2, 7.7.3.3). */
export function checkPages(
  validation: Validation,
  content: ContentChecks,
  actions: ActionChecks,
  associated: AssociatedFiles,
  fieldTypes: FieldTypes,
): void {
  const annotations = new AnnotationChecks(validation, content, actions, associated, fieldTypes)
  for (const [index, page] of listPages(validation.graph).entries()) {
    const place = { object: page.reference, page: index + 1 }
    checkPage(validation, actions, page, place)
    associated.add(page.dictionary)
    content.checkPage(page, index + 1)
    annotations.checkPage(page.dictionary, place)
  }
}

function checkPage(
  validation: Validation,
  actions: ActionChecks,
  page: PdfPage,
  place: Place,
): void {
  const { graph } = validation
  const { dictionary } = page
  validation.check(
    pageRules,
    {
      hasAdditionalActions: hasEntry(dictionary, 'AA'),
      hasPresentationSteps: hasEntry(dictionary, 'PresSteps'),
    },
    place,
  )
  for (const key of boxes) {
    const isInherited = key === 'MediaBox' || key === 'CropBox'
    const box = graph.resolve(
      isInherited ? inheritedAttribute(graph, page, key) : dictionary.get(key),
    )
    if (Array.isArray(box)) validation.check(boxRules, { key, box: rectangleOf(graph, box) }, place)
  }
  actions.checkAdditional(dictionary.get('AA'), 'page', place)
}

interface Page {
  readonly hasAdditionalActions: boolean
  readonly hasPresentationSteps: boolean
}

const pageRules = new RuleSet<Page>('page', [
  {
    clauses: { '2-3': '6.5.2 t2' },
    description: 'Pages have no additional actions (/AA)',
    holds: ({ hasAdditionalActions }) => !hasAdditionalActions,
  },
  {
    clauses: { '2-3': '6.10 t2', '4': '6.11 t2' },
    description: 'Pages have no presentation steps (/PresSteps)',
    holds: ({ hasPresentationSteps }) => !hasPresentationSteps,
  },
])

/** ISO 32000-2, 14.11.2. */
const boxes = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox'] as const

interface PageBox {
  readonly key: (typeof boxes)[number]
  /** null for an array that is no rectangle. */
  readonly box: Rectangle | null
}

const boxRules = new RuleSet<PageBox>('page boundary', [
  {
    clauses: { '2-3': '6.1.13 t11' },
    description: 'The boxes of pages are 3 to 14,400 units wide and high',
    holds: ({ box }) =>
      box !== null && isPageLength(box.right - box.left) && isPageLength(box.top - box.bottom),
    found: ({ key, box }) =>
      box === null ? `/${key}` : `/${key} ${box.right - box.left} by ${box.top - box.bottom}`,
  },
])

function isPageLength(units: number): boolean {
  return units >= 3 && units <= 14_400
}
