/** The token of a mail's link: it stands in the fragment, which no server sees. Empty: the address has none. */
export function mailedToken(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
}
