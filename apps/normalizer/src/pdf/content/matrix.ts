import type { Rectangle } from '../rectangle.ts'

/** ISO 32000-2, 8.3.3: `[a b c d e f]` maps (x, y) to (ax + cy + e, bx + dy + f). */
export type Matrix = readonly [number, number, number, number, number, number]

export const identityMatrix: Matrix = [1, 0, 0, 1, 0, 0]

/** What maps by the first and then by the second. */
export function product(first: Matrix, second: Matrix): Matrix {
  return [
    first[0] * second[0] + first[1] * second[2],
    first[0] * second[1] + first[1] * second[3],
    first[2] * second[0] + first[3] * second[2],
    first[2] * second[1] + first[3] * second[3],
    first[4] * second[0] + first[5] * second[2] + second[4],
    first[4] * second[1] + first[5] * second[3] + second[5],
  ]
}

/** The smallest upright rectangle around the mapped one. */
export function mappedBox([a, b, c, d, e, f]: Matrix, box: Rectangle): Rectangle {
  const { left, bottom, right, top } = box
  const xs = [
    a * left + c * bottom,
    a * right + c * bottom,
    a * left + c * top,
    a * right + c * top,
  ]
  const ys = [
    b * left + d * bottom,
    b * right + d * bottom,
    b * left + d * top,
    b * right + d * top,
  ]
  return {
    left: Math.min(...xs) + e,
    bottom: Math.min(...ys) + f,
    right: Math.max(...xs) + e,
    top: Math.max(...ys) + f,
  }
}

/** Whether upright rectangles stay upright. */
export function keepsUpright([a, b, c, d]: Matrix): boolean {
  return (b === 0 && c === 0) || (a === 0 && d === 0)
}
