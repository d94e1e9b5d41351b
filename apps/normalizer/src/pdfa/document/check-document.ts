import { listPages } from '../../pdf/page-tree.ts'
import type { ContentChecks } from '../content/content-checks.ts'
import type { Validation } from '../validation.ts'

/** From the catalog to pages, annotations, actions, forms, layers, embedded files and logical structure. */
export function checkDocument(validation: Validation, content: ContentChecks): void {
  for (const [index, page] of listPages(validation.graph).entries()) {
    content.checkPage(page, index + 1)
  }
}
