/** Numbers that look random and are the same for the same seed, on any machine. */
export interface Random {
  /** 0 to `below`, that excluded; 0 where there is nothing to choose from. */
  below(below: number): number
  chance(oneIn: number): boolean
  /** @throws when there is nothing to choose from */
  pick<T>(items: readonly T[]): T
}

/** A generator of Marsaglia's family with 32 bits of state; what it is used for needs no better. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * Math.max(0, limit))
  return {
    below,
    chance: (oneIn) => below(oneIn) === 0,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('there is nothing to choose from')
      return item
    },
  }
}
