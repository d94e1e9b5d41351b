import type { Rectangle } from '../rectangle.ts'

/** ISO 32000-2, 8.3.3: `[a b c d e f]` maps (x, y) to (ax + cy + e, bx + dy + f). */
export type Matrix = readonly [number, number, number, number, number, number]

export const identityMatrix: Matrix = [1, 0, 0, 1, 0, 0]

/** What maps by the first and then by the second. */
export function product(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first
  const [A, B, C, D, E, F] = second
  return [
    a * A + b * C,
    a * B + b * D,
    c * A + d * C,
    c * B + d * D,
    e * A + f * C + E,
    e * B + f * D + F,
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
