const nextSlot = 0
const helperSlot = 1

const invited = 0
const joined = 1
const tooLate = 2

/** Memory that two threads see: the pages of one document, of which each takes the next that nobody has. */
export type PageClaims = SharedArrayBuffer

export function createPageClaims(): PageClaims {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
}

/** The pages that fall to this thread. */
export function* claimedPages(claims: PageClaims, pageCount: number): Generator<number> {
  const slots = new Int32Array(claims)
  for (;;) {
    const page = Atomics.add(slots, nextSlot, 1)
    if (page >= pageCount) return
    yield page
  }
}

/** For the helper, once it could begin: false if the work is already done. */
export function join(claims: PageClaims): boolean {
  return Atomics.compareExchange(new Int32Array(claims), helperSlot, invited, joined) === invited
}

/** For who invited it, when no page is left: whether the helper has joined, and so has to be waited for. */
export function hasJoined(claims: PageClaims): boolean {
  return Atomics.compareExchange(new Int32Array(claims), helperSlot, invited, tooLate) === joined
}
