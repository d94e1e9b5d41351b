import { ConnectionError } from '../error/connection-error.ts'
import { PdfnormError } from '../error/pdfnorm-error.ts'
import type { routes } from '../generated/routes.ts'
import type { KeySet } from '../generated/types.ts'
import { keyCache } from './key-source.ts'

/** Written once more, because the whole table of routes is larger than all that verifies. */
const path: (typeof routes)['getKeySet']['path'] = '/.well-known/attestation-keys.json'

const timeoutMs = 30_000

/**
 * The keys that a service publishes: fetched when one is wanted, kept, and fetched again for a key that is not among
 * them. One such source serves a whole process.
 *
 * @param baseUrl the service's address, as `https://pdfnorm.example`
 */
export function publishedKeys(
  baseUrl: string,
  { fetch: send = fetch }: { fetch?: typeof fetch } = {},
): (keyId: string) => Promise<KeySet> {
  const url = baseUrl.replace(/\/+$/, '') + path
  return keyCache(async () => {
    let response: Response
    try {
      response = await send(url, { signal: AbortSignal.timeout(timeoutMs) })
    } catch (cause) {
      throw new ConnectionError('CONNECTION_FAILED', `${url} could not be reached`, { cause })
    }
    const keySet: unknown = response.ok ? await response.json().catch(() => null) : null
    if (isKeySet(keySet)) return keySet
    const { status } = response
    throw new PdfnormError('UNEXPECTED_ANSWER', `${url} answered ${status} without keys`, {
      status,
    })
  })
}

function isKeySet(value: unknown): value is KeySet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys)
}
