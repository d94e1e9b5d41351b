import { isName, type PdfDictionary, PdfName, type PdfObject, PdfStream } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { hasEntry, placeOf } from '../document/entry.ts'
import type { Place } from '../failures.ts'
import type { Validation } from '../validation.ts'
import type { ColourSpace } from './colour-space.ts'
import type { ColourSpaceChecks } from './colour-space-checks.ts'
import type { Frame } from './content-frame.ts'
import type { ContentResources } from './content-resources.ts'
import { checkImage, checkInlineImage } from './image-checks.ts'
import { enumeratedCmyk } from './jpeg2000.ts'
import { numberIn } from './number-in.ts'
import type { Painting } from './painting.ts'

/** Images where they are drawn, with their colour spaces and masks (ISO 32000-2, 8.9). */
export class DrawnImages {
  readonly #validation: Validation
  readonly #colours: ColourSpaceChecks
  readonly #painting: Painting
  readonly #seen = new Set<PdfStream>()

  constructor(validation: Validation, colours: ColourSpaceChecks, painting: Painting) {
    this.#validation = validation
    this.#colours = colours
    this.#painting = painting
  }

  draw(frame: Frame, image: PdfStream, place: Place): void {
    const { graph } = this.#validation
    const { dictionary } = image
    if (hasSoftMask(graph, dictionary)) frame.isTranslucent = true
    if (this.#seen.has(image)) return
    this.#seen.add(image)
    const data = checkImage(this.#validation, image, 'picture', place)
    if (graph.resolve(dictionary.get('ImageMask')) === true) {
      this.#painting.judge(frame, frame.state.fill.space)
    } else if (hasEntry(dictionary, 'ColorSpace')) {
      const space = this.#spaceOf(frame, dictionary.get('ColorSpace'))
      // An image has its own colours, also where those of the state count for nothing.
      if (space !== null) this.#colours.check(space, frame.context, place)
    } else if (data?.enumerated === enumeratedCmyk) {
      const space = frame.resources.deviceSpace('DeviceCMYK')
      this.#colours.check(space, frame.context, place)
    }
    this.#checkMasks(dictionary, place)
  }

  drawInline(frame: Frame, image: PdfStream): void {
    checkInlineImage(this.#validation, image, frame.place)
    const { dictionary } = image
    const isStencil = (dictionary.get('IM') ?? dictionary.get('ImageMask')) === true
    const object = dictionary.get('CS') ?? dictionary.get('ColorSpace')
    const space = isStencil ? frame.state.fill.space : inlineSpace(frame.resources, object)
    this.#painting.judge(frame, space ?? frame.resources.deviceSpace('DeviceGray'))
  }

  #spaceOf(frame: Frame, object: PdfObject | undefined): ColourSpace | null {
    const value = this.#validation.graph.resolve(object)
    if (isName(value)) return frame.resources.imageSpace(value.value)
    return frame.resources.colourSpaceOf(value)
  }

  #checkMasks(image: PdfDictionary, place: Place): void {
    for (const [key, use] of masks) {
      const object = image.get(key)
      const mask = this.#validation.graph.resolve(object)
      if (!(mask instanceof PdfStream) || this.#seen.has(mask)) continue
      this.#seen.add(mask)
      checkImage(this.#validation, mask, use, placeOf(object, place))
    }
  }
}

const masks = [
  ['SMask', 'soft mask'],
  ['Mask', 'stencil'],
] as const

function hasSoftMask(graph: ObjectGraph, image: PdfDictionary): boolean {
  if (graph.resolve(image.get('SMask')) instanceof PdfStream) return true
  return (numberIn(graph, image, 'SMaskInData') ?? 0) > 0
}

/** The colour space of an inline image (8.9.7): named, or Indexed and spelled out. */
function inlineSpace(
  resources: ContentResources,
  object: PdfObject | undefined,
): ColourSpace | null {
  const expanded = (value: PdfObject): PdfObject =>
    isName(value) ? new PdfName(inlineSpaces[value.value] ?? value.value) : value
  if (isName(object)) return resources.inlineSpace(inlineSpaces[object.value] ?? object.value)
  return Array.isArray(object) ? resources.colourSpaceOf(object.map(expanded)) : null
}

/** Table 92. */
const inlineSpaces: Readonly<Partial<Record<string, string>>> = {
  I: 'Indexed',
  G: 'DeviceGray',
  RGB: 'DeviceRGB',
  CMYK: 'DeviceCMYK',
}
