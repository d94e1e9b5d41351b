import type { PagePicture } from './page-renderer.ts'

export interface PictureDifference {
  readonly pixels: number
  /** Of all pixels, 0 to 1. */
  readonly share: number
  /** Smallest rectangle around them: left, top, right, bottom. */
  readonly box: readonly [number, number, number, number]
}

/** Of 255 in any colour: what is less comes from rounding of coordinates at the edges of glyphs. */
const tolerance = 32

/** null for pictures that look the same. */
export function compareTwoPictures(
  before: PagePicture,
  after: PagePicture,
): PictureDifference | null {
  const { width, height } = before
  if (after.width !== width || after.height !== height) {
    return { pixels: width * height, share: 1, box: [0, 0, width, height] }
  }
  let pixels = 0
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let index = 0; index < width * height; index++) {
    if (!differs(before.pixels, after.pixels, index * 4)) continue
    const [x, y] = [index % width, Math.floor(index / width)]
    pixels += 1
    left = Math.min(left, x)
    right = Math.max(right, x + 1)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y + 1)
  }
  if (pixels === 0) return null
  return { pixels, share: pixels / (width * height), box: [left, top, right, bottom] }
}

/** Both pictures beside each other, and a third with what differs in red. */
export function sideBySide(before: PagePicture, after: PagePicture): PagePicture {
  const width = before.width + after.width + before.width
  const height = Math.max(before.height, after.height)
  const pixels = new Uint8Array(width * height * 4).fill(0xcc)
  const put = (picture: PagePicture, x: number): void => {
    for (let row = 0; row < picture.height; row++) {
      const line = picture.pixels.subarray(row * picture.width * 4, (row + 1) * picture.width * 4)
      pixels.set(line, (row * width + x) * 4)
    }
  }
  put(before, 0)
  put(after, before.width)
  if (before.width === after.width && before.height === after.height) {
    put(markedDifference(before, after), before.width + after.width)
  }
  return { width, height, pixels }
}

function markedDifference(before: PagePicture, after: PagePicture): PagePicture {
  const pixels = new Uint8Array(before.pixels.length)
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const grey = 0xc0 + ((after.pixels[at + 1] ?? 0) >> 2)
    pixels.set(
      differs(before.pixels, after.pixels, at) ? [0, 0, 0xff, 0xff] : [grey, grey, grey, 0xff],
      at,
    )
  }
  return { ...before, pixels }
}

function differs(before: Uint8Array, after: Uint8Array, at: number): boolean {
  for (let channel = at; channel < at + 3; channel++) {
    if (Math.abs((before[channel] ?? 0) - (after[channel] ?? 0)) > tolerance) return true
  }
  return false
}
