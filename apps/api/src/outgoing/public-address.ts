import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Whether an address belongs to a host of the public internet, and to nothing that only our own network reaches.
 *
 * Node itself reads the address, as it does for the socket: nothing here takes one apart. What is not an address, or
 * has a zone, is not public.
 *
 * @param address as a resolver or a socket gives it: `192.0.2.1`, `2001:db8::1`
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIpv4.check(address, 'ipv4')
  // RFC 4007, section 11: a zone names an interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  return globalUnicast.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
}

/** IANA IPv4 Special-Purpose Address Registry (RFC 6890), multicast and the reserved rest. */
const specialIpv4 = subnets('ipv4', [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private use
  ['100.64.0.0', 10], // shared by carriers (RFC 6598); metadata of Alibaba Cloud
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // the platform of Azure, from inside of a machine there
  ['169.254.0.0', 16], // link-local; metadata of most clouds
  ['172.16.0.0', 12], // private use
  ['192.0.0.0', 24], // IETF protocol assignments; metadata of Oracle Cloud
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // relays of 6to4, deprecated
  ['192.168.0.0', 16], // private use
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
])

/**
 * RFC 4291, section 2.4: the one block out of which public addresses are given. Outside of it lie loopback, `::`,
 * IPv4-mapped ::ffff:0:0/96, NAT64 64:ff9b::/96 and 64:ff9b:1::/48, unique local fc00::/7 (so fd00:ec2::254, the
 * metadata of AWS), link-local fe80::/10, site-local fec0::/10, multicast ff00::/8 and all that nobody has.
 */
const globalUnicast = subnets('ipv6', [['2000::', 3]])

/** IANA IPv6 Special-Purpose Address Registry, as far as it lies in global unicast. */
const specialIpv6 = subnets('ipv6', [
  ['2001::', 23], // IETF protocol assignments: Teredo, ORCHID, benchmarking
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: carries any IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
])

function subnets(family: 'ipv4' | 'ipv6', blocks: readonly (readonly [string, number])[]) {
  const list = new BlockList()
  for (const [network, prefixBits] of blocks) list.addSubnet(network, prefixBits, family)
  return list
}
