/** An address within the portal; undefined for every other one, which may be a trap (RFC 9700, 4.11). */
export function pathHere(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address, location.origin)) return undefined
  const { origin, pathname, search, hash } = new URL(address, location.origin)
  return origin === location.origin ? pathname + search + hash : undefined
}
