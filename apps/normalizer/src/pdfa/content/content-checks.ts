import type { PdfDictionary, PdfStream } from '../../pdf/object.ts'
import type { PdfPage } from '../../pdf/page-tree.ts'
import type { Place } from '../failures.ts'
import type { FontChecks } from '../font/font-checks.ts'
import type { Validation } from '../validation.ts'

/** What is drawn: content streams with the colour spaces, images, forms, patterns and states that they use. */
export class ContentChecks {
  readonly #validation: Validation
  readonly #fonts: FontChecks

  constructor(validation: Validation, fonts: FontChecks) {
    this.#validation = validation
    this.#fonts = fonts
  }

  /** The page's own content, with its group and its resources. */
  checkPage(page: PdfPage, pageNumber: number): void {
    void [this.#validation, this.#fonts, page, pageNumber]
  }

  /** An appearance stream of an annotation on the page. */
  checkAppearance(appearance: PdfStream, page: PdfDictionary, place: Place): void {
    void [appearance, page, place]
  }

  /** What can be said only when all has been seen, such as separations of one name. */
  finish(): void {}
}
