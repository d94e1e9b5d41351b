/**
 * The order in which the characters of one line stand from left to right (UAX #9 with the levels that plain text has:
 * no embeddings, no isolates). Marks stay behind the letter that they belong to, brackets are mirrored.
 */
export function visualOrder(line: string): string {
  if (!rightToLeft.test(line)) return line
  const clusters = line.match(/[^]\p{M}*/gu) ?? []
  const levels = levelsOf(clusters)
  return reordered(clusters, levels).join('')
}

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

type Direction = 'left' | 'right' | 'number' | 'neutral'

function directionOf(cluster: string): Direction {
  if (/^\p{Nd}/u.test(cluster)) return 'number'
  // The marks for one direction or the other, which have no form.
  if (/^[\u200f\u061c]/.test(cluster)) return 'right'
  if (cluster.startsWith('\u200e')) return 'left'
  if (/^[\p{L}\p{So}]/u.test(cluster)) return rightToLeft.test(cluster) ? 'right' : 'left'
  return 'neutral'
}

/** 0 left to right, 1 right to left, 2 left to right inside of that. The first letter decides the base (rules P2, P3). */
function levelsOf(clusters: readonly string[]): number[] {
  const directions = clusters.map(directionOf)
  joinNumbers(clusters, directions)
  const first = directions.find((direction) => direction === 'left' || direction === 'right')
  const base = first === 'right' ? 1 : 0
  const levels: number[] = []
  let last: 'left' | 'right' = base === 1 ? 'right' : 'left'
  for (let index = 0; index < directions.length; index++) {
    const direction = directions[index]
    if (direction === 'left' || direction === 'right') last = direction
    if (direction === 'right') levels[index] = 1
    else if (direction === 'left') levels[index] = base === 1 ? 2 : 0
    // A number after right-to-left text belongs to it and is read from left to right (W2, I1, I2).
    else if (direction === 'number') levels[index] = last === 'right' || base === 1 ? 2 : 0
    else {
      let end = index
      while (directions[end] === 'neutral') end++
      const next = directions[end]
      const following = next === 'number' ? last : (next ?? null)
      // N1, N2: between two of a kind it is of their kind, else of the base's.
      const level = following === last ? (last === 'right' ? 1 : base === 1 ? 2 : 0) : base
      for (; index < end; index++) levels[index] = level
      index--
    }
  }
  return levels
}

/** W4: a separator between two digits is part of the number. */
function joinNumbers(clusters: readonly string[], directions: Direction[]): void {
  for (const [index, cluster] of clusters.entries()) {
    const isBetween = directions[index - 1] === 'number' && directions[index + 1] === 'number'
    if (isBetween && /^[.,:/\-+]$/.test(cluster)) directions[index] = 'number'
  }
}

/** L2: from the highest level down, every run of at least that level is reversed. */
function reordered(clusters: readonly string[], levels: readonly number[]): string[] {
  let order = clusters.map((_, index) => index)
  for (let level = 2; level >= 1; level--) {
    const next: number[] = []
    let run: number[] = []
    for (const index of order) {
      if ((levels[index] ?? 0) >= level) run.push(index)
      else {
        next.push(...run.toReversed(), index)
        run = []
      }
    }
    order = [...next, ...run.toReversed()]
  }
  return order.map((index) => {
    const cluster = clusters[index] ?? ''
    return (levels[index] ?? 0) % 2 === 1 ? (mirrors[cluster] ?? cluster) : cluster
  })
}

const mirrors: Readonly<Partial<Record<string, string>>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '\u00ab': '\u00bb',
  '\u00bb': '\u00ab',
}
