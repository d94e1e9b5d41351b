import { documentCatalog } from '../../pdf/catalog.ts'
import type { ContentChecks } from '../content/content-checks.ts'
import { wholeFile } from '../failures.ts'
import type { Validation } from '../validation.ts'
import { ActionChecks } from './actions.ts'
import { AssociatedFiles } from './associated-files.ts'
import { checkCatalog } from './catalog.ts'
import type { EmbeddedDocuments } from './embedded-documents.ts'
import { checkEmbeddedFiles } from './embedded-files.ts'
import { placeOf } from './entry.ts'
import { FieldTypes } from './field-types.ts'
import { checkForm } from './forms.ts'
import { checkOptionalContent } from './optional-content.ts'
import { checkOutlines } from './outlines.ts'
import { checkPages } from './pages.ts'
import { checkStructureTree } from './structure-tree.ts'

/**
 * From the catalog to pages, annotations, actions, forms, layers, embedded files and logical structure.
 *
 * @param documents those that this one is embedded in share it
 */
export function checkDocument(
  validation: Validation,
  content: ContentChecks,
  documents: EmbeddedDocuments,
): void {
  const { graph } = validation
  const actions = new ActionChecks(validation)
  const associated = new AssociatedFiles(graph)
  const fieldTypes = new FieldTypes(graph)
  const catalogPlace = placeOf(graph.trailer.get('Root'), wholeFile)
  associated.add(documentCatalog(graph))
  checkPages(validation, content, actions, associated, fieldTypes)
  checkCatalog(validation, actions, catalogPlace)
  checkOutlines(validation, actions, catalogPlace)
  checkForm(validation, actions, fieldTypes, catalogPlace)
  checkOptionalContent(validation, catalogPlace)
  checkStructureTree(validation, associated, catalogPlace)
  checkEmbeddedFiles(validation, documents, associated)
}
