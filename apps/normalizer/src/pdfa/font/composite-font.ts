import { type CodeReader, codeReader } from '../../pdf/font/code-reader.ts'
import { collectionText } from '../../pdf/font/character-collection.ts'
import { fontDescriptor } from '../../pdf/font/font-dictionary.ts'
import { fontStream } from '../../pdf/font/font-stream.ts'
import { isName, PdfDictionary, PdfReference, PdfStream } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import { checkFontName } from './check-font-name.ts'
import { type CharacterCollection, compositeFontRules, isIdentity } from './character-map-rules.ts'
import { checkCharacterMap } from './check-character-map.ts'
import { CidWidths } from './cid-widths.ts'
import { collectionOf } from './collection-of.ts'
import {
  allJudged,
  type FontContext,
  type FontObject,
  Judged,
  leftToJudge,
  type Showing,
  type UsedFont,
} from './font-context.ts'
import { fontFacts, isSubset, nameAt } from './font-entries.ts'
import type { FontProgram } from './font-programs.ts'
import {
  cidFontRules,
  cidSubsetRules,
  fontRules,
  renderedFontRules,
  usedCidSubsetRules,
} from './font-rules.ts'
import { renderedGlyphRules, shownGlyphRules } from './glyph-rules.ts'
import { isPredefinedMap, predefinedCollection } from './predefined-character-maps.ts'
import { ToUnicodeMap } from './to-unicode-map.ts'

/** Different codes of one font that are kept; more are judged anew each time. */
const maxKeptCodes = 70_000

/** A font whose codes select characters of a CIDFont (ISO 32000-2, 9.7). */
export class CompositeFont implements UsedFont {
  readonly #context: FontContext
  readonly #object: FontObject
  readonly #descendant: FontObject
  readonly #descriptor: PdfDictionary
  readonly #subtype: string | null
  readonly #program: FontProgram | null
  readonly #widths: CidWidths
  readonly #toUnicode: ToUnicodeMap
  /** null for an encoding that nobody knows: what its codes are cannot be told. */
  readonly #codes: CodeReader | null
  readonly #mapName: string | null
  readonly #mapCollection: CharacterCollection | null
  readonly #collection: CharacterCollection
  /** Judged codes by code and length. */
  readonly #judged = new Map<number, number>()
  readonly #shown = new Set<number>()
  #glyphIndexes: Uint8Array | null | undefined
  #isRendered = false

  constructor(context: FontContext, object: FontObject) {
    const { graph, validation, programs } = context
    const { dictionary, place } = object
    const descendants = graph.resolve(dictionary.get('DescendantFonts'))
    const reference = Array.isArray(descendants) ? descendants[0] : undefined
    const descendant = graph.resolve(reference)
    const own = descendant instanceof PdfDictionary ? descendant : new PdfDictionary()
    this.#context = context
    this.#object = object
    this.#descendant = {
      dictionary: own,
      place: reference instanceof PdfReference ? { ...place, object: reference } : place,
    }
    this.#subtype = nameAt(graph, own.get('Subtype'))
    this.#descriptor = fontDescriptor(graph, own)
    const isCidFont = /^CIDFontType[02]$/.test(this.#subtype ?? '')
    this.#program = isCidFont ? programs.of(this.#subtype, this.#descriptor) : null
    this.#widths = new CidWidths(graph, own)
    this.#toUnicode = new ToUnicodeMap(graph, dictionary)
    const encoding = graph.resolve(dictionary.get('Encoding'))
    const isStream = encoding instanceof PdfStream
    this.#mapName = nameAt(graph, isStream ? encoding.dictionary.get('CMapName') : encoding)
    const isKnown = isStream || (this.#mapName !== null && isPredefinedMap(this.#mapName))
    this.#codes = isKnown ? codeReader(graph, encoding) : null
    this.#collection = collectionOf(graph, own)
    this.#mapCollection = isStream
      ? collectionOf(graph, encoding.dictionary)
      : predefinedCollection(this.#mapName ?? '', validation.part)
    checkCharacterMap(context, dictionary.get('Encoding'), place)
    this.#check(descendant instanceof PdfDictionary)
  }

  show(bytes: Uint8Array, start: number, end: number, showing: Showing): void {
    if (showing.isRendered && !this.#isRendered) this.#checkRendered(showing)
    const codes = this.#codes
    if (codes === null) return
    const all = allJudged(showing)
    for (let at = start; at < end; at += codes.length) {
      codes.read(bytes, at, end)
      const key = codes.code * 4 + codes.length - 1
      const judged = this.#judged.get(key) ?? 0
      if ((judged & all) === all) continue
      const left = leftToJudge(judged, showing)
      if (left === 0) continue
      if (this.#judged.size < maxKeptCodes) this.#judged.set(key, judged | left)
      this.#judge(codes, left, showing)
    }
  }

  finish(): void {
    const { validation } = this.#context
    const { dictionary, place } = this.#descendant
    if (validation.part !== 1) return
    if (!isSubset(nameAt(this.#context.graph, dictionary.get('BaseFont')))) return
    const set = this.#identifierSet()
    const areAllListed = [...this.#shown].every((identifier) => isIn(set, identifier))
    const facts = { hasProgram: this.#program !== null, hasList: set !== null, areAllListed }
    validation.check(usedCidSubsetRules, facts, place)
  }

  #check(hasDescendant: boolean): void {
    const { validation, graph } = this.#context
    const { dictionary, place } = this.#descendant
    validation.check(fontRules, fontFacts(graph, dictionary, 'Type0'), this.#object.place)
    validation.check(
      compositeFontRules,
      { mapName: this.#mapName, font: this.#collection, map: this.#mapCollection },
      this.#object.place,
    )
    if (!hasDescendant) return
    validation.check(fontRules, fontFacts(graph, dictionary, this.#subtype), place)
    checkFontName(this.#context, dictionary.get('BaseFont'), place)
    const hasProgram = this.#program !== null
    validation.check(
      cidFontRules,
      { subtype: this.#subtype, hasProgram, hasGlyphMap: this.#hasGlyphMap },
      place,
    )
    if (!isSubset(nameAt(graph, dictionary.get('BaseFont')))) return
    const set = this.#identifierSet()
    const isListExact = (): boolean => this.#isExact(set)
    validation.check(
      cidSubsetRules,
      {
        hasProgram,
        hasList: set !== null,
        get isListExact() {
          return isListExact()
        },
      },
      place,
    )
  }

  #checkRendered({ page }: Showing): void {
    this.#isRendered = true
    const { dictionary, place } = this.#descendant
    const facts = {
      name: nameAt(this.#context.graph, dictionary.get('BaseFont')),
      subtype: this.#subtype,
      hasProgram: this.#program !== null,
      hasGlyphMap: this.#hasGlyphMap,
    }
    // Without a descendant there is nothing that could have a program.
    if (dictionary.size === 0) return
    this.#context.validation.check(renderedFontRules, facts, { ...place, page })
  }

  #judge(codes: CodeReader, left: number, { hasActualText, page }: Showing): void {
    const { validation } = this.#context
    const { code, isKnown } = codes
    const identifier = isKnown ? codes.identifierOf(code) : 0
    const place: Place = { ...this.#object.place, page }
    const { isPresent, width: programWidth } = this.#glyphOf(identifier, isKnown)
    const isUndefined = isPresent === false || (identifier === 0 && isPresent !== null)
    if (isPresent !== false && identifier > 0 && identifier <= 65_535) this.#shown.add(identifier)
    if (left & Judged.rendered) {
      // A code of too few bytes has no identifier at all.
      const width = this.#widths.of(isKnown || codes.length > 1 ? identifier : -1)
      const facts = { code, isPresent, isUndefined, programWidth, width }
      validation.check(renderedGlyphRules, facts, place)
    }
    if (left & ~Judged.rendered) {
      const text = this.#textOf(code, identifier)
      validation.check(shownGlyphRules, { code, isUndefined, text, hasActualText }, place)
    }
  }

  /** 9.7.4.2. */
  #glyphOf(
    identifier: number,
    isKnown: boolean,
  ): { readonly isPresent: boolean | null; readonly width: number | null } {
    const program = this.#program
    if (program?.kind === 'cff') {
      const { glyphs } = program
      const own = glyphs.program.isCidKeyed ? glyphs.identified(identifier) : identifier
      const glyph = own !== null && own < glyphs.count ? own : null
      const isPresent = isKnown && glyph !== null
      if (glyph === null && !glyphs.program.isCidKeyed) return { isPresent, width: null }
      return { isPresent, width: glyphs.widthOf(glyph ?? 0) }
    }
    if (program?.kind !== 'trueType') return { isPresent: null, width: null }
    const { metrics } = program
    const own = this.#mappedGlyph(identifier)
    const glyph = own !== null && own < (metrics.glyphCount ?? Infinity) ? own : null
    return { isPresent: isKnown && glyph !== null, width: metrics.advanceOf(glyph ?? 0) }
  }

  /** By `/CIDToGIDMap`: two bytes for each identifier; null beyond its end. */
  #mappedGlyph(identifier: number): number | null {
    const map = this.#glyphMap()
    if (map === null) return identifier
    const high = map[identifier * 2]
    return high === undefined ? null : (high << 8) | (map[identifier * 2 + 1] ?? 0)
  }

  #glyphMap(): Uint8Array | null {
    if (this.#glyphIndexes === undefined) {
      const { graph } = this.#context
      this.#glyphIndexes = fontStream(graph, this.#descendant.dictionary.get('CIDToGIDMap'))
    }
    return this.#glyphIndexes
  }

  get #hasGlyphMap(): boolean {
    const map = this.#context.graph.resolve(this.#descendant.dictionary.get('CIDToGIDMap'))
    return map instanceof PdfStream || isName(map, 'Identity')
  }

  /** ISO 19005-2, 6.2.11.7.2: by ToUnicode, else as characters of one of Adobe's collections. */
  #textOf(code: number, identifier: number): string | null {
    const mapped = this.#toUnicode.textOf(code)
    if (mapped !== null) return mapped
    const isByIdentifier = isIdentity(this.#mapName)
    // By a map that nobody knows no identifiers are come to.
    if (!isByIdentifier && this.#mapCollection === null) return null
    for (const collection of [isByIdentifier ? null : this.#mapCollection, this.#collection]) {
      if (collection?.registry !== 'Adobe' || collection.ordering === null) continue
      const text = collectionText(collection.ordering, identifier)
      if (text !== null) return text
    }
    return null
  }

  /** `/CIDSet` (table 122): a bit for each identifier, the highest of a byte first; null where there is none. */
  #identifierSet(): Uint8Array | null {
    return fontStream(this.#context.graph, this.#descriptor.get('CIDSet'))
  }

  /** Whether it has what the program has and nothing else; identifier 0 is in every program. */
  #isExact(set: Uint8Array | null): boolean {
    if (set === null) return false
    const present = this.#presentIdentifiers()
    if (present === null) return true
    let listed = 0
    for (let at = 0; at < set.length; at++) listed += bitsIn(set[at] ?? 0)
    if (isIn(set, 0)) listed--
    present.delete(0)
    for (const identifier of present) if (!isIn(set, identifier)) return false
    return listed === present.size
  }

  /** null where the program does not say how many glyphs it has. */
  #presentIdentifiers(): Set<number> | null {
    const program = this.#program
    if (program?.kind === 'cff') {
      const { glyphs } = program
      return glyphs.program.isCidKeyed ? new Set(glyphs.identifiers) : firstNumbers(glyphs.count)
    }
    if (program?.kind !== 'trueType') return null
    const { glyphCount } = program.metrics
    if (glyphCount === null) return null
    const map = this.#glyphMap()
    if (map === null) return firstNumbers(glyphCount)
    const present = new Set<number>()
    for (let at = 0; at + 1 < map.length && at < 2 * 65_536; at += 2) {
      if ((((map[at] ?? 0) << 8) | (map[at + 1] ?? 0)) < glyphCount) present.add(at / 2)
    }
    return present
  }
}

function firstNumbers(count: number): Set<number> {
  return new Set(Array.from({ length: count }, (_, number) => number))
}

function isIn(set: Uint8Array | null, identifier: number): boolean {
  return set !== null && (((set[identifier >> 3] ?? 0) << (identifier & 7)) & 0x80) !== 0
}

function bitsIn(byte: number): number {
  let count = 0
  for (let rest = byte; rest !== 0; rest &= rest - 1) count++
  return count
}
