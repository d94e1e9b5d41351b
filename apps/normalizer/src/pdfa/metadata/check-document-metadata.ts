import type { Validation } from '../validation.ts'

/** The metadata of the catalog (6.7 of part 1, 6.6.2 of parts 2 and 3, 6.7 of part 4) and its match with Info. */
export function checkDocumentMetadata(validation: Validation): void {
  void validation
}
