import type { PixelBox } from './page-annotations.ts'
import type { PagePicture } from './page-renderer.ts'

export interface PictureDifference {
  readonly pixels: number
  /** Of all pixels, 0 to 1. */
  readonly share: number
  /** Smallest rectangle around them: left, top, right, bottom. */
  readonly box: PixelBox
}

/** Of 255 in any colour: what is less comes from rounding of coordinates. */
const tolerance = 8

/**
 * null for pictures that look the same.
 *
 * @param explained where they may differ
 */
export function compareTwoPictures(
  before: PagePicture,
  after: PagePicture,
  explained: readonly PixelBox[] = [],
): PictureDifference | null {
  const { width, height } = before
  if (after.width !== width || after.height !== height) {
    return { pixels: width * height, share: 1, box: [0, 0, width, height] }
  }
  if (Buffer.compare(before.pixels, after.pixels) === 0) return null

  let pixels = 0
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (const index of differingPixels(before, after)) {
    const [x, y] = [index % width, Math.floor(index / width)]
    if (explained.some((box) => isInside(box, x, y))) continue
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

function isInside([left, top, right, bottom]: PixelBox, x: number, y: number): boolean {
  return x >= left && x < right && y >= top && y < bottom
}

function markedDifference(before: PagePicture, after: PagePicture): PagePicture {
  const pixels = new Uint8Array(after.pixels)
  for (let at = 0; at < pixels.length; at++) pixels[at] = 0xc0 + ((pixels[at] ?? 0) >> 2)
  for (const index of differingPixels(before, after)) pixels.set([0, 0, 0xff, 0xff], index * 4)
  return { ...before, pixels }
}

function differingPixels(before: PagePicture, after: PagePicture): number[] {
  const differing: number[] = []
  for (let index = 0; index < before.width * before.height; index++) {
    const channels = [index * 4, index * 4 + 1, index * 4 + 2]
    const differs = channels.some(
      (at) => Math.abs((after.pixels[at] ?? 0) - (before.pixels[at] ?? 0)) > tolerance,
    )
    if (differs) differing.push(index)
  }
  return differing
}
