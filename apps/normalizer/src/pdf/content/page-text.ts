import { ContentBudget } from './content-budget.ts'
import type { ContentGraph } from './content-graph.ts'
import { ContentInterpreter, type ContentSink, type ShownString } from './content-interpreter.ts'
import { type ContentScanner, Operand } from './content-scanner.ts'
import { CharacterBuffer } from '../font/character-buffer.ts'
import { cleanText } from '../font/glyph-text.ts'
import type { ShownFont } from '../font/shown-font.ts'
import { PdfDictionary, PdfString } from '../object.ts'
import { pageContent } from './page-content.ts'
import { decodeTextString } from '../text-string.ts'

/**
 * The text of each page in the order of its content, in NFC and with single spaces. What this gives defines the content hash, together with the rule of
 * stage 9 and the version that stands in the attestation (docs/decisions/0008-text-of-a-page.md).
 *
 * @param pages with all their attributes: nothing is inherited
 * @throws {ContentBudgetError} when the content is more than the budget has
 * @throws {ResourceLimitError} when the content expands to more than the limits allow
 */
export function* pageTexts(
  graph: ContentGraph,
  pages: Iterable<PdfDictionary>,
  budget = new ContentBudget(),
): Generator<string> {
  const collector = new TextCollector(graph)
  const interpreter = new ContentInterpreter(graph, collector, budget)
  for (const page of pages) {
    const resources = graph.resolve(page.get('Resources'))
    interpreter.run(
      pageContent(graph, page),
      resources instanceof PdfDictionary ? resources : new PdfDictionary(),
    )
    const text = collector.take()
    // Texts may be far longer than the content that shows them.
    budget.spend(text.length)
    yield text
  }
}

/*
 * Where the position was moved between two strings, a space stands if the move is wider than this; in ems. Kerning ends at a
 * tenth, and even the words of tight lines are 0.17 apart. None of the three is a number that writers use, so that
 * rounding does not decide.
 */
const wordGap = 0.1533
/** A move back by more begins something new; less is an accent, or a script that runs leftwards. */
const backwardGap = 2.0371
/** A move up or down by more begins a line; less is a script or a mark. */
const lineGap = 0.6127

class TextCollector implements ContentSink {
  readonly wantsTextOnly = true
  readonly #graph: ContentGraph
  readonly #text = new CharacterBuffer()
  /** Open marks; the text that replaces what they cover, where they have one. */
  readonly #marks: (string | null)[] = []
  /** How many of them have a replacement. */
  #replacements = 0
  /** The outermost replacement, until it is written. */
  #pending: string | null = null
  #hasPen = false
  #penX = 0
  #penY = 0
  #penEm = 0

  constructor(graph: ContentGraph) {
    this.#graph = graph
  }

  get characters(): CharacterBuffer | null {
    return this.#replacements > 0 ? null : this.#text
  }

  /** The page's text; the next page begins. */
  take(): string {
    this.#marks.length = 0
    this.#replacements = 0
    this.#pending = null
    this.#hasPen = false
    return this.#text.take()
  }

  passesOver(content: Uint8Array): boolean {
    if (content.length < worthLooking) return false
    const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    return !tellingOperators.some((operator) => buffer.includes(operator))
  }

  beginString(string: ShownString, font: ShownFont): void {
    const { alongX, alongY, upX, upY } = string
    const em = Math.sqrt(Math.max(alongX * alongX + alongY * alongY, upX * upX + upY * upY))
    if (this.#hasPen && this.#isApart(string, font, Math.max(em, this.#penEm))) this.#text.put(0x20)
    this.#penEm = em
    if (this.#pending !== null) this.#replace()
  }

  endString(string: ShownString): void {
    this.#hasPen = true
    this.#penX = string.endX
    this.#penY = string.endY
  }

  beginMark(scanner: ContentScanner, resources: PdfDictionary): void {
    const replacement = actualText(this.#graph, scanner, resources)
    this.#marks.push(replacement)
    if (replacement === null) return
    if (this.#replacements === 0) this.#pending = replacement
    this.#replacements++
  }

  endMark(): void {
    const replacement = this.#marks.pop() ?? null
    if (replacement === null) return
    this.#replacements--
    // What was covered shows no text: a picture of some.
    if (this.#replacements === 0 && this.#pending !== null) {
      this.#text.put(0x20)
      this.#replace()
      this.#text.put(0x20)
    }
  }

  beginForm(): void {
    this.#marks.push(null)
  }

  image(): void {}

  other(): void {}

  #replace(): void {
    this.#text.putText(this.#pending ?? '')
    this.#pending = null
  }

  /** Whether the string begins apart from where the last one ended. */
  #isApart(string: ShownString, { isVertical }: ShownFont, em: number): boolean {
    const x = string.x - this.#penX
    const y = string.y - this.#penY
    if (x === 0 && y === 0) return false
    const directionX = isVertical ? -string.upX : string.alongX
    const directionY = isVertical ? -string.upY : string.alongY
    const length = Math.sqrt(directionX * directionX + directionY * directionY)
    if (length === 0 || em === 0) return true
    const forward = (x * directionX + y * directionY) / length
    const sideways = (x * directionY - y * directionX) / length
    return (
      forward > wordGap * em || forward < -backwardGap * em || Math.abs(sideways) > lineGap * em
    )
  }
}

/** Shorter content is executed as fast as it is searched; bytes. */
const worthLooking = 16 * 1024
/** Content without any of these shows no text. */
const tellingOperators = ['Tj', 'TJ', 'Do', "'", '"', 'BDC'].map((operator) =>
  Buffer.from(operator),
)

/** ISO 32000-2, 14.9.4: of the property list that stands in the content or that the resources name. */
function actualText(
  graph: ContentGraph,
  scanner: ContentScanner,
  resources: PdfDictionary,
): string | null {
  if (scanner.count < 2) return null
  const name = scanner.name(1)
  if (name === null) return inlineActualText(scanner)
  const lists = graph.resolve(resources.get('Properties'))
  const list = lists instanceof PdfDictionary ? graph.resolve(lists.get(name.value)) : null
  const text = list instanceof PdfDictionary ? graph.resolve(list.get('ActualText')) : null
  return text instanceof PdfString ? cleanText(decodeTextString(text)) : null
}

function inlineActualText(scanner: ContentScanner): string | null {
  let depth = 0
  let isKey = true
  for (let index = 1; index < scanner.count; index++) {
    const kind = scanner.kind(index)
    if (kind === Operand.dictionaryClose || kind === Operand.arrayClose) depth--
    if (depth === 1) {
      if (isKey && scanner.name(index)?.value === 'ActualText') {
        if (scanner.kind(index + 1) !== Operand.string) return null
        const bytes = scanner.stringBytes(index + 1)
        const own = bytes.subarray(scanner.stringStart(index + 1), scanner.stringEnd(index + 1))
        return cleanText(decodeTextString(new PdfString(own)))
      }
      isKey = !isKey
    }
    if (kind === Operand.dictionaryOpen || kind === Operand.arrayOpen) depth++
    if (depth === 0) return null
  }
  return null
}
