/** Choices that look random and are the same for the same seed. */
export interface Dice {
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  /** True in so many of a hundred throws. */
  percent(chance: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
}

/** Marsaglia's xorshift with 32 bits of state: what it is used for needs no better. */
export function throwDice(seed: number): Dice {
  // Zero would stay zero.
  let state = (seed * 2_654_435_761) >>> 0 || 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state = (state ^ (state << 5)) >>> 0
    return state / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    between,
    percent: (chance) => next() * 100 < chance,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
  }
}
