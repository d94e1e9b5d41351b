import type { PdfObject } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import type { Validation } from '../validation.ts'

/** The value of a `/Metadata` key that is not the catalog's: of a page, an image, a font, an output profile. */
export function checkMetadataStream(
  validation: Validation,
  metadata: PdfObject | undefined,
  place: Place,
): void {
  void [validation, metadata, place]
}
