import { PdfDictionary, type PdfObject, PdfReference } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import type { Validation } from '../validation.ts'
import { CompositeFont } from './composite-font.ts'
import { type FontContext, fontContext, type FontObject, type UsedFont } from './font-context.ts'
import { fontFacts, nameAt } from './font-entries.ts'
import { fontRules } from './font-rules.ts'
import { SimpleFont } from './simple-font.ts'
import { TrueTypeLookup } from './true-type-lookup.ts'
import { Type1Lookup } from './type1-lookup.ts'
import { Type3Font } from './type3-font.ts'

/** The fonts that show glyphs: dictionaries, CMaps, font programs, and the glyphs themselves. */
export class FontChecks {
  readonly #context: FontContext
  readonly #fonts = new Map<PdfDictionary, UsedFont | null>()

  constructor(validation: Validation) {
    this.#context = fontContext(validation)
  }

  /**
   * The font that shows text; null for what is none, or none that shows any.
   *
   * @param font the resource: mostly a reference
   * @throws {ContentBudgetError} when the document has more fonts than can be read
   * @throws {ResourceLimitError} when a font's streams expand to more than the limits allow
   */
  of(font: PdfObject, place: Place): UsedFont | null {
    const dictionary = this.#context.graph.resolve(font)
    if (!(dictionary instanceof PdfDictionary)) return null
    const known = this.#fonts.get(dictionary)
    if (known !== undefined) return known
    const object = font instanceof PdfReference ? font : place.object
    const used = openFont(this.#context, { dictionary, place: { ...place, object } })
    this.#fonts.set(dictionary, used)
    return used
  }

  /** What can be said only when all text has been seen. */
  finish(): void {
    for (const font of this.#fonts.values()) font?.finish()
  }
}

/** null for a font of no type that shows text. */
function openFont(context: FontContext, object: FontObject): UsedFont | null {
  const { graph, validation } = context
  const subtype = nameAt(graph, object.dictionary.get('Subtype'))
  switch (subtype) {
    case 'Type0':
      return new CompositeFont(context, object)
    case 'Type1':
    case 'MMType1':
      return new SimpleFont(context, object, subtype, (...given) => new Type1Lookup(...given))
    case 'TrueType':
      return new SimpleFont(context, object, subtype, (...given) => new TrueTypeLookup(...given))
    case 'Type3':
      return new Type3Font(context, object)
    default:
      validation.check(fontRules, fontFacts(graph, object.dictionary, subtype), object.place)
      return null
  }
}
