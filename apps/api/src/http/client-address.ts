import { isIP } from 'node:net'
import type { Request } from 'express'

/**
 * The client's address, through as many proxies as the configuration trusts, as that which a limit is kept for. Of
 * IPv6 the first 64 bits: a customer has at least that many addresses (RFC 6177).
 */
export function clientAddress(req: Request): string {
  const address = withoutPort(req.ip ?? '')
  // A header of a proxy may hold anything (RFC 7239, 6.3); whose connection it is, is known.
  const known = isIP(address) > 0 ? address : (req.socket.remoteAddress ?? '')
  const ipv4 = /^::ffff:([\d.]+)$/i.exec(known)?.[1]
  return ipv4 ?? (known.includes(':') ? networkOf(known) : known)
}

/** Some proxies name the port too, which is another one for each connection. */
function withoutPort(address: string): string {
  return /^([\d.]+):\d+$/.exec(address)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? address
}

/** The first four groups, each without leading zeros (RFC 4291, 2.2). */
function networkOf(ipv6: string): string {
  const [head = '', tail] = ipv6.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<string>(zeros).fill('0'), ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
