import type { GraphicsState } from './graphics-state.ts'
import type { Rectangle } from '../rectangle.ts'

/** The box around the points of a path. */
export class PathBox {
  isCurved = false
  #points = 0
  #rectangles = 0
  #left = 0
  #bottom = 0
  #right = 0
  #top = 0
  /** Points that stand on a corner of the box so far; of a rectangle all four or five do. */
  readonly #corners: number[] = []

  get box(): Rectangle | null {
    if (this.#points === 0) return null
    return { left: this.#left, bottom: this.#bottom, right: this.#right, top: this.#top }
  }

  /** Whether it is one upright rectangle. */
  get isRectangle(): boolean {
    if (this.isCurved) return false
    if (this.#rectangles === 1 && this.#points !== 4) return false
    return this.#points >= 4 && this.#points <= 5 && this.#goesRound()
  }

  add({ matrix }: GraphicsState, x: number, y: number): void {
    const [a, b, c, d, e, f] = matrix
    const X = a * x + c * y + e
    const Y = b * x + d * y + f
    const isFirst = this.#points === 0
    this.#left = isFirst ? X : Math.min(this.#left, X)
    this.#right = isFirst ? X : Math.max(this.#right, X)
    this.#bottom = isFirst ? Y : Math.min(this.#bottom, Y)
    this.#top = isFirst ? Y : Math.max(this.#top, Y)
    if (this.#points < 5) this.#corners.push(X, Y)
    this.#points++
  }

  addRectangle(state: GraphicsState, x: number, y: number, width: number, height: number): void {
    this.#rectangles++
    this.add(state, x, y)
    this.add(state, x + width, y)
    this.add(state, x + width, y + height)
    this.add(state, x, y + height)
  }

  clear(): void {
    this.isCurved = false
    this.#points = 0
    this.#rectangles = 0
    this.#corners.length = 0
  }

  /** Each step goes along one axis, and opposite corners are those of the box. */
  #goesRound(): boolean {
    const points = this.#corners
    const near = (one: number, other: number): boolean => Math.abs(one - other) < 0.001
    const at = (index: number): [number, number] => [
      points[(index % 4) * 2] ?? 0,
      points[(index % 4) * 2 + 1] ?? 0,
    ]
    if (
      this.#points === 5 &&
      !(near(points[8] ?? 0, points[0] ?? 0) && near(points[9] ?? 0, points[1] ?? 0))
    ) {
      return false
    }
    for (let index = 0; index < 4; index++) {
      const [x, y] = at(index)
      const [nextX, nextY] = at(index + 1)
      const [thirdX, thirdY] = at(index + 2)
      if (!near(x, nextX) && !near(y, nextY)) return false
      const spansBox =
        near(Math.abs(thirdX - x), this.#right - this.#left) &&
        near(Math.abs(thirdY - y), this.#top - this.#bottom)
      if (!spansBox) return false
    }
    return true
  }
}
