import { pageContent } from '../../pdf/content/page-content.ts'
import { PdfDictionary, type PdfStream } from '../../pdf/object.ts'
import { inheritedAttribute, type PdfPage } from '../../pdf/page-tree.ts'
import type { Place } from '../failures.ts'
import type { FontChecks } from '../font/font-checks.ts'
import type { Validation } from '../validation.ts'
import { ContentWalk } from './content-walk.ts'

/** What is drawn: content streams with the colour spaces, images, forms, patterns and states that they use. */
export class ContentChecks {
  readonly #validation: Validation
  readonly #walk: ContentWalk

  constructor(validation: Validation, fonts: FontChecks) {
    this.#validation = validation
    this.#walk = new ContentWalk(validation, fonts)
  }

  /** The page's own content, with its group and its resources. */
  checkPage(page: PdfPage, pageNumber: number): void {
    const { graph } = this.#validation
    const resources = inheritedAttribute(graph, page, 'Resources')
    this.#walk.run(
      pageContent(graph, page.dictionary),
      resources instanceof PdfDictionary ? resources : new PdfDictionary(),
      { object: page.reference, page: pageNumber },
    )
  }

  /** An appearance stream of an annotation on the page. */
  checkAppearance(appearance: PdfStream, page: PdfDictionary, place: Place): void {
    const resources = this.#validation.graph.resolve(page.get('Resources'))
    this.#walk.runForm(
      appearance,
      resources instanceof PdfDictionary ? resources : new PdfDictionary(),
      place,
    )
  }

  /** What can be said only when all has been seen, such as separations of one name. */
  finish(): void {}
}
