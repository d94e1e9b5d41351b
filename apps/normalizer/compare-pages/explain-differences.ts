import { compareTwoPictures } from './compare-pictures.ts'
import type { PageAnnotation, PageField, PixelBox } from './page-annotations.ts'
import type { PagePicture } from './page-renderer.ts'

/** Why pictures of a page may differ in one place. */
export interface Explanation {
  readonly box: PixelBox
  readonly why: 'removal' | 'viewer' | 'repair'
}

/** What is known of a page besides its two pictures. */
export interface PageFacts {
  /** Of the original, as the file has them. */
  readonly annotations: readonly PageAnnotation[]
  /** `/NeedAppearances` of the original's form (ISO 32000-2, 12.7.3). */
  readonly needAppearances: boolean
  /** Whether the engine had to repair the original. */
  readonly wasRepaired: boolean
  /** Whether media and files were taken out, which their annotations go with. */
  readonly removesMediaAndFiles: boolean
  /** The output's text within the place of an annotation. */
  readonly textAfter: (annotation: PageAnnotation) => string
  /** Whether the output is known to show question marks for characters that no font has. */
  readonly lacksCharacters: boolean
}

/**
 * Where two pictures of a page differ for a known reason. There are three:
 * - the original was repaired, and without that the page shows nothing at all in PDFium;
 * - an annotation that shows media or a file went with them;
 * - the original leaves a field's appearance to the viewer, because it has none or because the form asks for others:
 *   PDFium makes one, with the arrow of a list that opens and in its own sizes, and so does the engine. Then both have
 *   to show the same field: its background, its text, its mark.
 */
export function explanations(
  before: PagePicture,
  after: PagePicture,
  facts: PageFacts,
): Explanation[] {
  const whole = [0, 0, before.width, before.height] as const
  if (facts.wasRepaired && !hasInk(before, whole)) return [{ box: whole, why: 'repair' }]
  return facts.annotations.flatMap((annotation): Explanation[] => {
    const box = grown(annotation.box, before)
    if (annotation.kind === 'media or file' && facts.removesMediaAndFiles) {
      return [{ box, why: 'removal' }]
    }
    if (annotation.field === null) return []
    const isViewers = facts.needAppearances || !annotation.hasAppearance
    if (!isViewers || !showsTheField(annotation, annotation.field, before, after, facts)) return []
    return [{ box, why: 'viewer' }]
  })
}

function showsTheField(
  annotation: PageAnnotation,
  field: PageField,
  before: PagePicture,
  after: PagePicture,
  facts: PageFacts,
): boolean {
  const box = field.type === 'combo box' ? withoutArrow(annotation.box) : annotation.box
  if (!isSameColor(commonestColor(before, box), commonestColor(after, box))) return false
  switch (field.type) {
    case 'text':
    case 'combo box': {
      const mayBeCut = isFull(after, box)
      return showsText(field, facts.textAfter(annotation), mayBeCut, facts.lacksCharacters)
    }
    case 'list':
      return showsText(field, facts.textAfter(annotation), true, facts.lacksCharacters)
    case 'mark': {
      const marked = differingBox(before, after, box)
      if (marked === null) return true
      const [was, is] = [hasInk(before, marked), hasInk(after, marked)]
      return field.isChecked ? was && is : was || !is
    }
    case 'button':
      return hasInk(before, box) === hasInk(after, box)
    default:
      return false
  }
}

/** Of more text than there is room for a part is shown; of a list, from an option on. */
function showsText(
  field: PageField,
  textAfter: string,
  mayBeCut: boolean,
  lacksCharacters: boolean,
): boolean {
  const plain = (text: string): string => text.normalize('NFKC').replace(/[\s\p{Cc}]/gu, '')
  const wanted = field.isPassword ? '*'.repeat(Array.from(field.text).length) : plain(field.text)
  const shown = plain(textAfter)
  if (wanted === '') return shown === ''
  if (shown === '') return false
  if (wanted === shown) return true
  if (mayBeCut && shown.length >= leastShown && wanted.includes(shown)) return true
  if (!lacksCharacters) return false
  const characters = Array.from(wanted)
  return (
    characters.length === Array.from(shown).length &&
    Array.from(shown).every((char, index) => char === '?' || char === characters[index])
  )
}

/** Characters by which a part of a text is known. */
const leastShown = 3

/** Whether what is drawn goes on to the right end or to the lower end. */
function isFull(picture: PagePicture, [left, top, right, bottom]: PixelBox): boolean {
  const [width, height] = [right - left, bottom - top]
  const inner = [left + 2, top + 2, right - 2, bottom - 2] as const
  return (
    hasInk(picture, [right - width * edgeShare, inner[1], inner[2], inner[3]]) ||
    hasInk(picture, [inner[0], bottom - height * edgeShare, inner[2], inner[3]])
  )
}

const edgeShare = 0.15

/** The button with an arrow that PDFium puts into the right end of a combo box: 13 units and its border. */
function withoutArrow([left, top, right, bottom]: PixelBox): PixelBox {
  return [left, top, Math.max(left + (right - left) / 3, right - 18), bottom]
}

/** One pixel more on each side: edges are smoothed. */
function grown([left, top, right, bottom]: PixelBox, { width, height }: PagePicture): PixelBox {
  return [
    Math.max(0, left - 1),
    Math.max(0, top - 1),
    Math.min(width, right + 2),
    Math.min(height, bottom + 2),
  ]
}

function differingBox(before: PagePicture, after: PagePicture, box: PixelBox): PixelBox | null {
  const [one, other] = [cropped(before, box), cropped(after, box)]
  const difference = compareTwoPictures(one, other)
  if (difference === null) return null
  const [x, y] = [Math.max(0, Math.floor(box[0])), Math.max(0, Math.floor(box[1]))]
  const [left, top, right, bottom] = difference.box
  return [x + left, y + top, x + right, y + bottom]
}

/** Blue, green, red. */
type Color = readonly [number, number, number]

function commonestColor(picture: PagePicture, box: PixelBox): Color {
  const counts = new Map<number, number>()
  for (const [blue, green, red] of colorsIn(picture, box)) {
    const color = (red << 16) | (green << 8) | blue
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const [[color] = [0xffffff]] = [...counts].sort((a, b) => b[1] - a[1])
  return [color & 0xff, (color >> 8) & 0xff, color >> 16]
}

/** Of 255: backgrounds are plain, and colour spaces are rounded. */
const colorTolerance = 8
/** Of 255: what is drawn on a background is told from it. */
const inkContrast = 64

function isSameColor(one: Color, other: Color): boolean {
  return one.every((value, index) => Math.abs(value - (other[index] ?? 0)) <= colorTolerance)
}

function hasInk(picture: PagePicture, box: PixelBox): boolean {
  const least = [255, 255, 255]
  const most = [0, 0, 0]
  for (const color of colorsIn(picture, box)) {
    for (const [index, value] of color.entries()) {
      least[index] = Math.min(least[index] ?? 255, value)
      most[index] = Math.max(most[index] ?? 0, value)
    }
  }
  return most.some((value, index) => value - (least[index] ?? 0) >= inkContrast)
}

function* colorsIn(picture: PagePicture, box: PixelBox): Generator<Color> {
  const { pixels } = cropped(picture, box)
  for (let at = 0; at < pixels.length; at += 4) {
    yield [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]
  }
}

function cropped(picture: PagePicture, [left, top, right, bottom]: PixelBox): PagePicture {
  const x = Math.max(0, Math.floor(left))
  const y = Math.max(0, Math.floor(top))
  const width = Math.max(0, Math.min(picture.width, Math.ceil(right)) - x)
  const height = Math.max(0, Math.min(picture.height, Math.ceil(bottom)) - y)
  const pixels = new Uint8Array(width * height * 4)
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * picture.width + x) * 4
    pixels.set(picture.pixels.subarray(from, from + width * 4), row * width * 4)
  }
  return { width, height, pixels }
}
