import type { ContentChecks } from '../content/content-checks.ts'
import { wholeFile } from '../failures.ts'
import type { Validation } from '../validation.ts'
import { ActionChecks } from './actions.ts'
import { checkCatalog } from './catalog.ts'
import { placeOf } from './entry.ts'
import { checkForm } from './forms.ts'
import { checkOptionalContent } from './optional-content.ts'
import { checkOutlines } from './outlines.ts'
import { checkPages } from './pages.ts'
import { checkStructureTree } from './structure-tree.ts'

/** From the catalog to pages, annotations, actions, forms, layers, embedded files and logical structure. */
export function checkDocument(validation: Validation, content: ContentChecks): void {
  const actions = new ActionChecks(validation)
  const catalogPlace = placeOf(validation.graph.trailer.get('Root'), wholeFile)
  checkPages(validation, content, actions)
  checkCatalog(validation, actions, catalogPlace)
  checkOutlines(validation, actions, catalogPlace)
  checkForm(validation, actions, catalogPlace)
  checkOptionalContent(validation, catalogPlace)
  checkStructureTree(validation, catalogPlace)
}
