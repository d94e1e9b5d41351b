import { catalogChanges, trailerChanges } from './catalog-changes.ts'
import { ComparedDocuments } from './compared-documents.ts'
import { formChanges } from './form-changes.ts'
import { pageChanges } from './page-changes.ts'
import { type DocumentState, revisionPair } from './revision-pair.ts'
import { type ComparisonBudget, ComparisonBudgetError } from './same-object.ts'
import { sharedAppearances } from './shared-appearances.ts'
import { structureChanges } from './structure-changes.ts'

/**
 * What lies between two states of a document. Pages come first: what is reached through them is told as what it is
 * there, whatever else refers to it.
 *
 * @throws {ResourceLimitError} when a stream expands to more than the limits allow
 */
export function documentChanges(
  before: DocumentState,
  after: DocumentState,
  budget: ComparisonBudget,
): ComparedDocuments {
  const documents = new ComparedDocuments(revisionPair(before, after), budget)
  try {
    pageChanges(documents)
    formChanges(documents)
    structureChanges(documents)
    catalogChanges(documents)
    trailerChanges(documents)
    sharedAppearances(documents)
  } catch (error) {
    if (!(error instanceof ComparisonBudgetError)) throw error
    // What could not be compared is not known to be unaltered.
    documents.add('other')
  }
  return documents
}
