import { hostAddresses } from './host-addresses.ts'
import { OutgoingFailure, type OutgoingPolicy, type OutgoingRefusal } from './outgoing-policy.ts'
import { outgoingTarget } from './outgoing-url.ts'

/**
 * Why nothing would be sent to an address, for when it is given.
 *
 * A name that nobody can resolve at the moment is not refused: it may be one tomorrow, and each request is checked
 * at its socket whatever was found here.
 *
 * @returns null when there is no reason
 */
export async function refuseOutgoing(
  url: string,
  policy: OutgoingPolicy,
): Promise<OutgoingRefusal | null> {
  const target = outgoingTarget(url, policy)
  if ('code' in target) return target
  if (policy.allowPrivate) return null

  const { promise: impatience, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, patienceMs, null)
  try {
    return await Promise.race([refusalOf(target.host, policy), impatience])
  } finally {
    clearTimeout(timer)
  }
}

/** How long somebody who gives an address waits for its name servers. */
const patienceMs = 2000

async function refusalOf(host: string, policy: OutgoingPolicy): Promise<OutgoingRefusal | null> {
  try {
    await hostAddresses(host, policy)
    return null
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    const { code, message: text } = error
    return code === 'ADDRESS_FORBIDDEN' ? { code, text } : null
  }
}
