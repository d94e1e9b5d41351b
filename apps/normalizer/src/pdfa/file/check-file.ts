import type { Validation } from '../validation.ts'

/** What ISO 19005 asks of the bytes: header, trailers, cross-reference sections, the spelling and limits of objects. */
export function checkFile(validation: Validation): void {
  void validation
}
