import { documentCatalog } from '../../pdf/catalog.ts'
import { ContentBudget } from '../../pdf/content/content-budget.ts'
import { pageContent } from '../../pdf/content/page-content.ts'
import { isName, PdfDictionary, PdfStream } from '../../pdf/object.ts'
import { inheritedAttribute, type PdfPage } from '../../pdf/page-tree.ts'
import { itemsAt, placeOf } from '../document/entry.ts'
import { type Place, wholeFile } from '../failures.ts'
import type { FontChecks } from '../font/font-checks.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { checkBlendMode } from './blend-mode.ts'
import type { ColourGraph } from './colour-space.ts'
import { type ColourContext, ColourSpaceChecks, noBlendingSpace } from './colour-space-checks.ts'
import { ContentResources } from './content-resources.ts'
import { ContentWalk } from './content-walk.ts'
import { GroupChecks } from './group-checks.ts'
import { IccProfiles } from './icc-profile.ts'
import { numberIn } from './number-in.ts'
import { checkOutputIntents, type OutputIntents } from './output-intents.ts'
import { checkResourceNames } from './resource-names.ts'

/** What is drawn: content streams with the colour spaces, images, forms, patterns and states that they use. */
export class ContentChecks {
  readonly #validation: Validation
  readonly #graph: ColourGraph
  readonly #profiles: IccProfiles
  readonly #colours: ColourSpaceChecks
  readonly #groups: GroupChecks
  readonly #walk: ContentWalk
  readonly #output: OutputIntents
  readonly #judgedResources = new Set<PdfDictionary>()
  /** The page whose appearances may still come. */
  #page: DrawnPage | null = null

  constructor(validation: Validation, fonts: FontChecks) {
    this.#validation = validation
    const { graph } = validation
    this.#profiles = new IccProfiles(graph)
    const contentBudget = new ContentBudget(validation.file.bytes.length)
    this.#graph = {
      ...(graph.expansionBudget && { expansionBudget: graph.expansionBudget }),
      resolve: (object) => graph.resolve(object),
      contentBudget,
    }
    this.#colours = new ColourSpaceChecks(validation, this.#profiles, contentBudget)
    this.#groups = new GroupChecks(validation, this.#colours)
    this.#walk = new ContentWalk(validation, fonts, this.#colours, this.#groups, this.#graph)
    const place = placeOf(graph.trailer.get('Root'), wholeFile)
    const intents = documentCatalog(graph).get('OutputIntents')
    this.#output = checkOutputIntents(validation, this.#profiles, intents, place)
  }

  /** Of the profile of the document's output intent for PDF/A, such as `RGB `; null without one. */
  get outputColourSpace(): string | null {
    return this.#output.colourSpace
  }

  /** The page's own content, with its group and its resources. */
  checkPage(page: PdfPage, pageNumber: number): void {
    this.#finishPage()
    const { graph } = this.#validation
    const { dictionary } = page
    const place = { object: page.reference, page: pageNumber }
    const resources = this.#resourcesOf(page, place)
    const outer = { output: this.#outputOf(dictionary, place), blending: noBlendingSpace }
    const context = this.#groups.contextWithin(dictionary, resources, outer, place, true)
    const group = graph.resolve(dictionary.get('Group'))
    const drawn: DrawnPage = {
      dictionary,
      resources,
      context,
      place,
      hasGroupSpace: group instanceof PdfDictionary && graph.resolve(group.get('CS')) !== null,
      isTranslucent: this.#checkAnnotations({ dictionary, resources, context, place }),
    }
    this.#page = drawn
    const bytes = pageContent(graph, dictionary)
    const structureKey = numberIn(graph, dictionary, 'StructParents')
    const content = { bytes, resources, context, place, structureKey }
    if (this.#walk.run(content)) drawn.isTranslucent = true
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
    const own = graph.resolve(page.dictionary.get('Resources'))
    const isOwn = own instanceof PdfDictionary
    const nearest = isOwn ? own : inheritedAttribute(graph, page, 'Resources')
    const used = nearest instanceof PdfDictionary ? nearest : null
    const resources = new ContentResources(this.#graph, used, null, !isOwn)
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

  /** What annotations are drawn with, beside their appearances; whether any blends with what is below it. */
  #checkAnnotations({ dictionary, resources, context, place }: PageToDraw): boolean {
    const { graph } = this.#validation
    let blends = false
    for (const item of itemsAt(graph, dictionary.get('Annots'))) {
      const annotation = graph.resolve(item)
      if (!(annotation instanceof PdfDictionary)) continue
      const own = placeOf(item, place)
      const artwork = graph.resolve(annotation.get('3DD'))
      if (artwork instanceof PdfStream) {
        const space = resources.colourSpaceOf(artwork.dictionary.get('ColorSpace'))
        if (space !== null) this.#colours.check(space, context, own)
      }
      // Annotations have blend modes since ISO 32000-2.
      const mode = this.#validation.part === 4 ? graph.resolve(annotation.get('BM')) : null
      if (mode === null) continue
      checkBlendMode(this.#validation, mode, own)
      if (!isName(mode, 'Normal')) blends = true
    }
    return blends
  }
}

interface PageToDraw {
  readonly dictionary: PdfDictionary
  readonly resources: ContentResources
  readonly context: ColourContext
  readonly place: Place
}

interface DrawnPage {
  readonly dictionary: PdfDictionary
  readonly resources: ContentResources
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
