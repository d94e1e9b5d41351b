import { documentCatalog } from '../../pdf/catalog.ts'
import { pageContent } from '../../pdf/content/page-content.ts'
import { isName, PdfDictionary, type PdfStream } from '../../pdf/object.ts'
import type { PdfPage } from '../../pdf/page-tree.ts'
import { itemsAt, placeOf } from '../document/entry.ts'
import { type Place, wholeFile } from '../failures.ts'
import type { FontChecks } from '../font/font-checks.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { checkBlendMode } from './blend-mode.ts'
import { type ColourContext, ColourSpaceChecks, noBlendingSpace } from './colour-space-checks.ts'
import { ContentResources } from './content-resources.ts'
import { ContentWalk } from './content-walk.ts'
import { IccProfiles } from './icc-profile.ts'
import { checkOutputIntents, type OutputIntents } from './output-intents.ts'
import { checkResourceNames } from './resource-names.ts'

/** What is drawn: content streams with the colour spaces, images, forms, patterns and states that they use. */
export class ContentChecks {
  readonly #validation: Validation
  readonly #profiles: IccProfiles
  readonly #walk: ContentWalk
  readonly #output: OutputIntents
  readonly #judgedResources = new Set<PdfDictionary>()
  /** The page whose appearances may still come. */
  #page: DrawnPage | null = null

  constructor(validation: Validation, fonts: FontChecks) {
    this.#validation = validation
    const { graph } = validation
    this.#profiles = new IccProfiles(graph)
    const colours = new ColourSpaceChecks(validation, this.#profiles)
    this.#walk = new ContentWalk(validation, fonts, colours)
    const place = placeOf(graph.trailer.get('Root'), wholeFile)
    const intents = documentCatalog(graph).get('OutputIntents')
    this.#output = checkOutputIntents(validation, this.#profiles, intents, place)
  }

  /** The page's own content, with its group and its resources. */
  checkPage(page: PdfPage, pageNumber: number): void {
    this.#finishPage()
    const { graph } = this.#validation
    const { dictionary } = page
    const place = { object: page.reference, page: pageNumber }
    const resources = this.#resourcesOf(page, place)
    const outer = { output: this.#outputOf(dictionary, place), blending: noBlendingSpace }
    const context = this.#walk.groupContext(dictionary, resources, outer, place, true)
    const group = graph.resolve(dictionary.get('Group'))
    const drawn: DrawnPage = {
      dictionary,
      resources: resources.own,
      context,
      place,
      hasGroupSpace: group instanceof PdfDictionary && graph.resolve(group.get('CS')) !== null,
      isTranslucent: this.#checkAnnotationModes(dictionary, place),
    }
    this.#page = drawn
    const bytes = pageContent(graph, dictionary)
    if (this.#walk.run({ bytes, resources, context, place })) drawn.isTranslucent = true
  }

  /** An appearance stream of an annotation on the page. */
  checkAppearance(appearance: PdfStream, page: PdfDictionary, place: Place): void {
    const drawn = this.#page
    const isOnPage = drawn?.dictionary === page
    const resources = isOnPage ? drawn.resources : null
    const context = isOnPage ? drawn.context : { output: this.#output, blending: noBlendingSpace }
    const isTranslucent = this.#walk.runAppearance(appearance, resources, context, place)
    if (isOnPage && isTranslucent) drawn.isTranslucent = true
  }

  /** What can be said only when all has been seen. */
  finish(): void {
    this.#finishPage()
  }

  #finishPage(): void {
    const page = this.#page
    this.#page = null
    if (page === null) return
    const hasOutputIntent = page.context.output.colourSpace !== null
    this.#validation.check(pageRules, { ...page, hasOutputIntent }, page.place)
  }

  #resourcesOf(page: PdfPage, place: Place): ContentResources {
    const { graph } = this.#validation
    const [own, ...inherited] = [page.dictionary, ...page.ancestors].map((node) => {
      const resources = graph.resolve(node.get('Resources'))
      return resources instanceof PdfDictionary ? resources : null
    })
    const nearest = inherited.find((one) => one !== null) ?? null
    const resources = new ContentResources(graph, own ?? null, nearest, true)
    const used = resources.own
    if (used === null) resources.undefinedNames.add('Resources')
    else if (!this.#judgedResources.has(used)) {
      this.#judgedResources.add(used)
      checkResourceNames(this.#validation, used, place)
    }
    return resources
  }

  /** Since part 4 pages may have output intents of their own, which go before those of the document. */
  #outputOf(page: PdfDictionary, place: Place): OutputIntents {
    const object = page.get('OutputIntents')
    if (this.#validation.part !== 4 || object === undefined) return this.#output
    const own = checkOutputIntents(this.#validation, this.#profiles, object, place)
    return {
      colourSpace: own.colourSpace ?? this.#output.colourSpace,
      profile: own.profile ?? this.#output.profile,
      isForeign: own.isForeign || this.#output.isForeign,
    }
  }

  /** Since ISO 32000-2 annotations may have blend modes; whether any blends. */
  #checkAnnotationModes(page: PdfDictionary, place: Place): boolean {
    if (this.#validation.part !== 4) return false
    const { graph } = this.#validation
    let blends = false
    for (const item of itemsAt(graph, page.get('Annots'))) {
      const annotation = graph.resolve(item)
      if (!(annotation instanceof PdfDictionary)) continue
      const mode = graph.resolve(annotation.get('BM'))
      if (mode === null) continue
      checkBlendMode(this.#validation, mode, placeOf(item, place))
      if (!isName(mode, 'Normal')) blends = true
    }
    return blends
  }
}

interface DrawnPage {
  readonly dictionary: PdfDictionary
  readonly resources: PdfDictionary | null
  readonly context: ColourContext
  readonly place: Place
  /** Its group has a colour space. */
  readonly hasGroupSpace: boolean
  /** Anything on it is not painted opaquely. */
  isTranslucent: boolean
}

interface PageFacts extends DrawnPage {
  readonly hasOutputIntent: boolean
}

const pageRules = new RuleSet<PageFacts>('page', [
  {
    clauses: { '2-3': '6.2.10 t2', '4': '6.2.9 t2' },
    description:
      'Without an output intent for PDF/A, a page with transparency has a group with a colour space',
    holds: ({ hasOutputIntent, hasGroupSpace, isTranslucent }) =>
      hasOutputIntent || hasGroupSpace || !isTranslucent,
  },
])
