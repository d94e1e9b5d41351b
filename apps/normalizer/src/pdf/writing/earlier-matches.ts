/** Where {@link findMatches} tells what the data is made of, from the first byte to the last. */
export interface MatchListener {
  readonly literal: (byte: number) => void
  /** The `length` bytes stand `distance` bytes before, too. */
  readonly match: (length: number, distance: number) => void
}

export const shortestMatch = 3
export const longestMatch = 258
/** Reach of the search, and the size of the table of earlier places. */
const windowBytes = 32_768
const hashBits = 15
/** A match is only put off for a longer one at the next byte if it is shorter than this. */
const lazyLength = 32
/** From here on a match is good enough to look at fewer other places. */
const goodLength = 8
/** A match of this length ends the search. */
const niceLength = 128
const comparedPlaces = 24
/** Three bytes from further away cost more than three literals. */
const farthestShortest = 4_096

/**
 * For each hash the last place with it, and for each place the one before: so far from zero that nothing of earlier
 * data is taken for something of this. That saves clearing them for every short stream.
 */
const lastPlaces = new Int32Array(1 << hashBits)
const earlierPlaces = new Int32Array(windowBytes)
let firstPlace = 1

/** Parts data into literals and repetitions (RFC 1951, 2), each match put off where the next byte begins a longer one. */
export function findMatches(data: Uint8Array, { literal, match }: MatchListener): void {
  const { length: end } = data
  if (firstPlace + end > 2 ** 30) {
    lastPlaces.fill(0)
    firstPlace = 1
  }
  const first = firstPlace
  firstPlace += end

  /** Of the byte before: not yet told. */
  let isWaiting = false
  let waitingLength = 0
  let waitingDistance = 0
  let at = 0
  while (at < end) {
    let length = 0
    let distance = 0
    if (at + shortestMatch <= end) {
      let place = remember(data, at, first)
      const most = Math.min(longestMatch, end - at)
      if (waitingLength < lazyLength && waitingLength < most) {
        length = Math.max(waitingLength, shortestMatch - 1)
        let left = waitingLength >= goodLength ? comparedPlaces >> 2 : comparedPlaces
        for (; left > 0 && place >= first; left -= 1) {
          const from = place - first
          if (at - from >= windowBytes) break
          if (data[from + length] === data[at + length] && data[from] === data[at]) {
            let same = 1
            while (same < most && data[from + same] === data[at + same]) same += 1
            if (same > length) {
              length = same
              distance = at - from
              if (same >= niceLength || same === most) break
            }
          }
          place = earlierPlaces[from & (windowBytes - 1)] ?? 0
        }
        if (distance === 0 || (length === shortestMatch && distance > farthestShortest)) length = 0
      }
    }

    if (waitingLength > 0 && length <= waitingLength) {
      match(waitingLength, waitingDistance)
      const next = at - 1 + waitingLength
      for (at += 1; at < next; at += 1) {
        if (at + shortestMatch <= end) remember(data, at, first)
      }
      isWaiting = false
      waitingLength = 0
      continue
    }
    if (isWaiting) literal(data[at - 1] ?? 0)
    isWaiting = true
    waitingLength = length
    waitingDistance = distance
    at += 1
  }
  if (isWaiting) literal(data[end - 1] ?? 0)
}

/** Notes where three bytes stand. @returns the place where they or others with their hash stood before */
function remember(data: Uint8Array, at: number, first: number): number {
  const three = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0)
  const hash = Math.imul(three, 0x9e3779b1) >>> (32 - hashBits)
  const before = lastPlaces[hash] ?? 0
  earlierPlaces[at & (windowBytes - 1)] = before
  lastPlaces[hash] = first + at
  return before
}
