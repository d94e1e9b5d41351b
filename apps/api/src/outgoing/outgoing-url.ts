import { isIP } from 'node:net'
import { addressForbidden, type OutgoingPolicy, type OutgoingRefusal } from './outgoing-policy.ts'
import { isPublicAddress } from './public-address.ts'

/** Where a request goes, taken apart once: what is checked is what is connected to. */
export interface OutgoingTarget {
  readonly secure: boolean
  /** A name without a dot at its end, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** The value of the Host header (RFC 9110, section 7.2). */
  readonly authority: string
  /** Path and query. */
  readonly path: string
}

/**
 * Reads an address as the WHATWG URL standard does, which brings every spelling of an IPv4 address (decimal, octal,
 * hexadecimal, short) into the usual one, and refuses what can be refused without asking for the host's addresses.
 */
export function outgoingTarget(
  url: string,
  { allowPrivate, httpsOnly }: OutgoingPolicy,
): OutgoingTarget | OutgoingRefusal {
  const parsed = URL.parse(url)
  if (parsed === null) return { code: 'URL_INVALID', text: 'This is not a URL.' }

  const secure = parsed.protocol === 'https:'
  if (!secure && (httpsOnly || parsed.protocol !== 'http:')) {
    const schemes = httpsOnly ? 'https' : 'https or http'
    return { code: 'SCHEME_FORBIDDEN', text: `The URL has to begin with ${schemes}.` }
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return { code: 'CREDENTIALS_FORBIDDEN', text: 'The URL may hold no user name and password.' }
  }

  const port = Number(parsed.port || (secure ? 443 : 80))
  if (!allowPrivate && !isPortAllowed(port)) {
    return { code: 'PORT_FORBIDDEN', text: `Nothing is sent to the port ${port}.` }
  }

  const host = parsed.hostname.replace(/^\[|\]$|\.$/g, '')
  if (!isName(host) && isIP(host) === 0) {
    return { code: 'URL_INVALID', text: 'The host of the URL is no name.' }
  }
  if (!allowPrivate && !mayBePublic(host)) return addressForbidden
  const authority = parsed.host.replace(/\.(?=:\d+$|$)/, '')
  return { secure, host, port, authority, path: parsed.pathname + parsed.search }
}

/**
 * The two ports of HTTP, and those that no privileged program of another protocol listens on; of these not the ones
 * that browsers block, because their protocols can be spoken to in HTTP (WHATWG Fetch, section 2.9, "bad port").
 */
function isPortAllowed(port: number): boolean {
  if (port === 80 || port === 443) return true
  return port >= 1024 && !badPorts.has(port)
}

const badPorts: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080,
])

/** RFC 1035, section 2.3.4. */
function isName(host: string): boolean {
  return (
    host.length <= 253 &&
    host.split('.').every((label) => label.length <= 63 && /^[a-z0-9_-]+$/.test(label))
  )
}

function mayBePublic(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host)
  const labels = host.split('.')
  // A name of one label is one of our own network: no top-level domain is a host.
  return labels.length > 1 && !localDomains.some((domain) => `.${host}`.endsWith(domain))
}

/** RFC 6761 (localhost), RFC 6762 (multicast DNS), RFC 8375 (homes), and what ICANN set aside for private use. */
const localDomains = ['.localhost', '.local', '.home.arpa', '.internal']
