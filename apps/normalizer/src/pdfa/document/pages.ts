import { listPages, type PdfPage } from '../../pdf/page-tree.ts'
import type { ContentChecks } from '../content/content-checks.ts'
import { type Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import type { ActionChecks } from './actions.ts'
import { AnnotationChecks } from './annotations.ts'
import { hasEntry } from './entry.ts'

/** Every page: its own entries, its content, its annotations (ISO 32000-2, 7.7.3.3). */
export function checkPages(
  validation: Validation,
  content: ContentChecks,
  actions: ActionChecks,
): void {
  const annotations = new AnnotationChecks(validation, content, actions)
  for (const [index, page] of listPages(validation.graph).entries()) {
    const place = { object: page.reference, page: index + 1 }
    checkPage(validation, actions, page, place)
    content.checkPage(page, index + 1)
    annotations.checkPage(page.dictionary, place)
  }
}

function checkPage(
  validation: Validation,
  actions: ActionChecks,
  { dictionary }: PdfPage,
  place: Place,
): void {
  validation.check(
    pageRules,
    {
      hasAdditionalActions: hasEntry(dictionary, 'AA'),
      hasSteps: hasEntry(dictionary, 'PresSteps'),
    },
    place,
  )
  actions.checkAdditional(dictionary.get('AA'), 'page', place)
}

interface Page {
  readonly hasAdditionalActions: boolean
  readonly hasSteps: boolean
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
    holds: ({ hasSteps }) => !hasSteps,
  },
])
