import { isName, PdfDictionary, type PdfStream } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { hasEntry } from '../document/entry.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { type Jpeg2000, readJpeg2000 } from './jpeg2000.ts'
import { checkRenderingIntent } from './rendering-intent.ts'

/** How an image is used: drawn, as the soft mask of one, or as the stencil of one (ISO 32000-2, 8.9.5). */
export type ImageUse = 'picture' | 'soft mask' | 'stencil'

/** @returns what its JPEG 2000 data say of it, if it is such */
export function checkImage(
  validation: Validation,
  image: PdfStream,
  use: ImageUse,
  place: Place,
): Jpeg2000 | null {
  const { graph } = validation
  const { dictionary } = image
  validation.check(imageRules, new Image(graph, dictionary), place)
  const { bitsPerComponent } = new Image(graph, dictionary)
  validation.check(use === 'stencil' ? stencilRules : pictureRules, { bitsPerComponent }, place)
  if (use !== 'stencil') checkRenderingIntent(validation, dictionary.get('Intent'), place)
  const data = readJpeg2000(graph, image)
  if (data !== null) {
    const hasColourSpace = hasEntry(dictionary, 'ColorSpace')
    validation.check(jpeg2000Rules, { ...data, hasColourSpace }, place)
  }
  return data
}

/** An image within the content (8.9.7), where names may be abbreviated. */
export function checkInlineImage(validation: Validation, image: PdfStream, place: Place): void {
  const { graph } = validation
  const written = new PdfDictionary(image.dictionary)
  for (const [short, long] of abbreviations) {
    const value = written.get(short)
    if (value !== undefined) written.set(long, value)
  }
  const facts = new Image(graph, written)
  validation.check(imageRules, facts, place)
  validation.check(pictureRules, { bitsPerComponent: facts.bitsPerComponent }, place)
  checkRenderingIntent(validation, written.get('Intent'), place)
  const filter = graph.resolve(written.get('Filter'))
  for (const item of Array.isArray(filter) ? filter : [filter]) {
    const name = graph.resolve(item)
    if (isName(name)) validation.check(inlineFilterRules, { filter: name.value }, place)
  }
}

/** Table 91, as far as rules ask for it. */
const abbreviations: readonly [string, string][] = [
  ['BPC', 'BitsPerComponent'],
  ['F', 'Filter'],
  ['I', 'Interpolate'],
]

class Image {
  readonly #graph: ObjectGraph
  readonly #dictionary: PdfDictionary

  constructor(graph: ObjectGraph, dictionary: PdfDictionary) {
    this.#graph = graph
    this.#dictionary = dictionary
  }

  has(key: string): boolean {
    return hasEntry(this.#dictionary, key)
  }

  get interpolates(): boolean {
    return this.#graph.resolve(this.#dictionary.get('Interpolate')) === true
  }

  /** null where there is none. */
  get bitsPerComponent(): number | null {
    const bits = this.#graph.resolve(this.#dictionary.get('BitsPerComponent'))
    return typeof bits === 'number' ? bits : null
  }
}

const imageRules = new RuleSet<Image>('image', [
  {
    clauses: { '1': '6.2.4 t1', '2-3': '6.2.8.1 t1', '4': '6.2.7.1 t1' },
    description: 'Images have no alternates (/Alternates)',
    holds: (image) => !image.has('Alternates'),
  },
  {
    clauses: { '1': '6.2.4 t2', '2-3': '6.2.8.1 t2', '4': '6.2.7.1 t2' },
    description: 'Images are not replaced before printing (/OPI)',
    holds: (image) => !image.has('OPI'),
  },
  {
    clauses: { '1': '6.2.4 t3', '2-3': '6.2.8.1 t3', '4': '6.2.7.1 t3' },
    description: 'Images are not interpolated',
    holds: ({ interpolates }) => !interpolates,
  },
  {
    clauses: { '1': '6.4 t2' },
    description: 'Images have no soft mask (/SMask)',
    holds: (image) => !image.has('SMask'),
  },
])

interface Bits {
  readonly bitsPerComponent: number | null
}

const foundBits = ({ bitsPerComponent }: Bits): string => String(bitsPerComponent)

const pictureRules = new RuleSet<Bits>('image that is no stencil', [
  {
    clauses: { '1': '6.2.4 t4' },
    description: 'Images have 1, 2, 4 or 8 bits per component',
    holds: ({ bitsPerComponent }) => isOneOf([1, 2, 4, 8], bitsPerComponent),
    found: foundBits,
  },
  {
    clauses: { '2-3': '6.2.8.1 t4', '4': '6.2.7.1 t4' },
    description: 'Images have 1, 2, 4, 8 or 16 bits per component',
    holds: ({ bitsPerComponent }) => isOneOf([1, 2, 4, 8, 16], bitsPerComponent),
    found: foundBits,
  },
])

const stencilRules = new RuleSet<Bits>('stencil mask of an image', [
  {
    clauses: { '1': '6.2.4 t5', '2-3': '6.2.8.1 t5', '4': '6.2.7.1 t5' },
    description: 'Stencil masks have 1 bit per component',
    holds: ({ bitsPerComponent }) => isOneOf([1], bitsPerComponent),
    found: foundBits,
  },
])

function isOneOf(allowed: readonly number[], bits: number | null): boolean {
  return bits === null || allowed.includes(bits)
}

interface InlineFilter {
  /** As it is written: in full or abbreviated. */
  readonly filter: string
}

const inlineFilters: ReadonlySet<string> = new Set([
  'ASCIIHexDecode',
  'ASCII85Decode',
  'FlateDecode',
  'RunLengthDecode',
  'CCITTFaxDecode',
  'DCTDecode',
  'AHx',
  'A85',
  'Fl',
  'RL',
  'CCF',
  'DCT',
])

const inlineFilterRules = new RuleSet<InlineFilter>('filter of an inline image', [
  {
    clauses: { '1': '6.1.10 t2' },
    description: 'Inline images are not compressed with LZW',
    holds: ({ filter }) => filter !== 'LZW' && filter !== 'LZWDecode',
  },
  {
    clauses: { '2-3': '6.1.10 t1', '4': '6.1.9 t1' },
    description: 'The filters of inline images are those of ISO 32000 for them, but not LZW',
    holds: ({ filter }) => inlineFilters.has(filter),
    found: ({ filter }) => JSON.stringify(filter),
  },
])

interface Jpeg2000Image extends Jpeg2000 {
  /** The image dictionary has a colour space, so that those in the data do not count. */
  readonly hasColourSpace: boolean
}

const jpeg2000Rules = new RuleSet<Jpeg2000Image>('JPEG 2000 image', [
  {
    clauses: { '2-3': '6.2.8.3 t1', '4': '6.2.7.3 t1' },
    description: 'JPEG 2000 data have 1, 3 or 4 colour channels',
    holds: ({ channels }) => channels === 1 || channels === 3 || channels === 4,
    found: ({ channels }) => String(channels ?? 'none'),
  },
  {
    clauses: { '2-3': '6.2.8.3 t2', '4': '6.2.7.3 t2' },
    description: 'Of several colour spaces of JPEG 2000 data exactly one is marked as the best',
    holds: ({ hasColourSpace, colourSpaces, preferred }) =>
      hasColourSpace || colourSpaces === 1 || preferred === 1,
    found: ({ colourSpaces, preferred }) => `${preferred} of ${colourSpaces}`,
  },
  {
    clauses: { '2-3': '6.2.8.3 t3', '4': '6.2.7.3 t3' },
    description:
      'The colour space of JPEG 2000 data is enumerated or given by a profile (method 1, 2 or 3)',
    holds: ({ hasColourSpace, method }) =>
      hasColourSpace || method === 1 || method === 2 || method === 3,
    found: ({ method }) => String(method ?? 'none'),
  },
  {
    clauses: { '2-3': '6.2.8.3 t4', '4': '6.2.7.3 t4' },
    description: 'The colour space of JPEG 2000 data is not CIEJab',
    holds: ({ hasColourSpace, enumerated }) => hasColourSpace || enumerated !== 19,
  },
  {
    clauses: { '2-3': '6.2.8.3 t5', '4': '6.2.7.3 t5' },
    description: 'All channels of JPEG 2000 data have the same depth of 1 to 38 bits',
    holds: ({ hasDepths, bitDepth }) =>
      !hasDepths && bitDepth !== null && bitDepth >= 1 && bitDepth <= 38,
    found: ({ bitDepth }) => String(bitDepth ?? 'none'),
  },
])
