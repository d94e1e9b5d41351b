import type { ContentChecks } from '../content/content-checks.ts'
import type { Validation } from '../validation.ts'
import { ActionChecks } from './actions.ts'
import { checkPages } from './pages.ts'

/** From the catalog to pages, annotations, actions, forms, layers, embedded files and logical structure. */
export function checkDocument(validation: Validation, content: ContentChecks): void {
  const actions = new ActionChecks(validation)
  checkPages(validation, content, actions)
}
