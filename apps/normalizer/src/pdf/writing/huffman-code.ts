/** A prefix code (RFC 1951, 3.2.2), by symbol. */
export interface HuffmanCode {
  /** In bits; 0 for symbols that do not occur. */
  readonly lengths: Uint8Array
  /** With their bits in the order in which they go out. */
  readonly codes: Uint16Array
}

/**
 * Finds the code that takes the fewest bits, none of its lengths above `longest` (or nearly so where that bound bites).
 * Equal frequencies are told apart by their symbols, so that the code is the same everywhere.
 *
 * @param frequencies each below 2^22, for at most 512 symbols
 */
export function assignCode(
  frequencies: Uint32Array,
  longest: number,
  { lengths, codes }: HuffmanCode,
): void {
  lengths.fill(0)
  let count = 0
  for (let symbol = 0; symbol < frequencies.length; symbol += 1) {
    const frequency = frequencies[symbol] ?? 0
    if (frequency > 0) keys[count++] = frequency * 512 + symbol
  }
  const ascending = keys.subarray(0, count).sort()
  for (let at = 0; at < count; at += 1) nodes[at] = (ascending[at] ?? 0) >>> 9
  turnIntoDepths(count)
  countWithin(longest, count)
  let next = 0
  for (let length = longest; length > 0; length -= 1) {
    for (let left = counts[length] ?? 0; left > 0; left -= 1) {
      lengths[(ascending[next++] ?? 0) & 511] = length
    }
  }
  assignCodes({ lengths, codes })
}

/** Fills in the codes that follow from the lengths. */
export function assignCodes({ lengths, codes }: HuffmanCode): void {
  nextCodes.fill(0)
  for (const length of lengths)
    if (length > 0) nextCodes[length + 1] = (nextCodes[length + 1] ?? 0) + 1
  for (let length = 2; length < nextCodes.length; length += 1) {
    nextCodes[length] = ((nextCodes[length] ?? 0) + (nextCodes[length - 1] ?? 0)) << 1
  }
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol] ?? 0
    if (length === 0) continue
    const code = nextCodes[length] ?? 0
    nextCodes[length] = code + 1
    let reversed = 0
    for (let bit = 0; bit < length; bit += 1) reversed = (reversed << 1) | ((code >>> bit) & 1)
    codes[symbol] = reversed
  }
}

/** Room for what is made one after another; a document may have a hundred thousand streams. */
const keys = new Uint32Array(512)
const nodes = new Uint32Array(512)
const counts = new Int32Array(16)
const nextCodes = new Uint16Array(17)

/**
 * Turns weights in ascending order into the depths of their leaves in a Huffman tree, in place (Moffat and Katajainen,
 * In-Place Calculation of Minimum-Redundancy Codes, 1995).
 */
function turnIntoDepths(count: number): void {
  const node = (at: number): number => nodes[at] ?? 0
  if (count < 2) {
    nodes[0] = 1
    return
  }
  // Joins the two lightest of what is left, leaves or joined ones: the weights of joined ones, then their parents.
  let leaf = 0
  let joined = 0
  for (let next = 0; next < count - 1; next += 1) {
    let weight = 0
    for (let part = 0; part < 2; part += 1) {
      if (leaf >= count || (joined < next && node(joined) < node(leaf))) {
        weight += node(joined)
        nodes[joined++] = next
      } else weight += node(leaf++)
    }
    nodes[next] = weight
  }
  // From the root on, each joined one lies one deeper than its parent.
  nodes[count - 2] = 0
  for (let at = count - 3; at >= 0; at -= 1) nodes[at] = node(node(at)) + 1
  // What of a level is no joined one is a leaf.
  let available = 1
  let depth = 0
  let at = count - 1
  let inner = count - 2
  while (available > 0) {
    let used = 0
    for (; inner >= 0 && node(inner) === depth; inner -= 1) used += 1
    for (; available > used; available -= 1) nodes[at--] = depth
    available = 2 * used
    depth += 1
  }
}

/** Counts the codes of each length, once those that are too long are cut and others made longer for them. */
function countWithin(longest: number, count: number): void {
  counts.fill(0)
  // In units of the longest code, all codes together may take no more than there is.
  let taken = 0
  for (let at = 0; at < count; at += 1) {
    const length = Math.min(nodes[at] ?? 0, longest)
    counts[length] = (counts[length] ?? 0) + 1
    taken += 1 << (longest - length)
  }
  for (; taken > 1 << longest; taken -= 1) {
    counts[longest] = (counts[longest] ?? 0) - 1
    let shorter = longest - 1
    while (counts[shorter] === 0) shorter -= 1
    counts[shorter] = (counts[shorter] ?? 0) - 1
    counts[shorter + 1] = (counts[shorter + 1] ?? 0) + 2
  }
}
