import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import {
  addressForbidden,
  type HostResolver,
  OutgoingFailure,
  type OutgoingPolicy,
} from './outgoing-policy.ts'
import { isPublicAddress } from './public-address.ts'

/** An address as `net.connect` takes it from a lookup. */
export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/**
 * Every address of a host, each of which may be connected to.
 *
 * The name servers are asked, not the operating system's lookup: that one blocks a thread of the process for as long as
 * a name server of a stranger likes, and its hosts file and search domains know names of our own network only.
 *
 * @throws OutgoingFailure if there is none, or if only one of them may not be connected to
 */
export async function hostAddresses(host: string, policy: OutgoingPolicy): Promise<HostAddress[]> {
  const addresses = isIP(host) === 0 ? await resolve(host, policy) : [host]
  return addresses.map((address) => checked(address, policy))
}

function checked(address: string, { allowPrivate }: OutgoingPolicy): HostAddress {
  const family = isIP(address)
  if ((family === 4 || family === 6) && (allowPrivate || isPublicAddress(address))) {
    return { address, family }
  }
  throw new OutgoingFailure(addressForbidden.code, addressForbidden.text)
}

async function resolve(name: string, policy: OutgoingPolicy): Promise<string[]> {
  const addresses = await answersFor(name, policy)
  if (addresses.length > 0) return addresses
  throw new OutgoingFailure('NAME_NOT_RESOLVED', 'The name of the host could not be resolved.')
}

async function answersFor(name: string, { allowPrivate, resolver }: OutgoingPolicy) {
  if (resolver !== undefined || !allowPrivate) return asked(name, resolver ?? nameServers())
  // In development the names of the machine and of its containers are wanted.
  const found = await lookup(name, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

/** What the one family has is enough: the failure of the other is as if it had no address. */
async function asked(name: string, resolver: HostResolver): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

function nameServers(): HostResolver {
  return new Resolver({ timeout: 2500, tries: 2 })
}
