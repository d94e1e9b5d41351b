import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

describe('addresses of hosts on the internet', () => {
  test.each([
    '8.8.8.8',
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2000::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2001:db7:ffff:ffff::1',
    '2001:db9::1',
    '2001:ffff::1',
    '2003::1',
    '2606:4700:4700::1111',
    '3ffe:ffff:ffff:ffff::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('addresses that only our own network reaches, or nobody', () => {
  test.each([
    ['this network', '0.0.0.0'],
    ['this network, its end', '0.255.255.255'],
    ['private use', '10.0.0.1'],
    ['private use, its end', '10.255.255.255'],
    ['a carrier', '100.64.0.1'],
    ['metadata of Alibaba Cloud', '100.100.100.200'],
    ['loopback', '127.0.0.1'],
    ['loopback, its end', '127.255.255.254'],
    ['the platform of Azure', '168.63.129.16'],
    ['metadata', '169.254.169.254'],
    ['metadata of containers', '169.254.170.2'],
    ['private use', '172.16.0.1'],
    ['private use, its end', '172.31.255.255'],
    ['metadata of Oracle Cloud', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['private use', '192.168.255.255'],
    ['benchmarking', '198.19.255.255'],
    ['multicast', '224.0.0.1'],
    ['multicast, its end', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped in hexadecimal', '::ffff:7f00:1'],
    ['IPv4-mapped, though public', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a network', '64:ff9b:1::a00:1'],
    ['discard', '100::1'],
    ['Teredo', '2001:0:53aa:64c:0:0:80ff:fffe'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['documentation', '3fff:fff::1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fc00::1'],
    ['metadata of AWS', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['public with a zone', '2606:4700:4700::1111%1'],
    ['link-local, its end', 'febf::1'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['nobody', '4000::1'],
  ])('%s: %s is not public', (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

test.each(['', ' ', '8.8.8', '0x8.8.8.8', '08.8.8.8', '134744072', '8.8.8.8 ', 'one.one', '[::1]'])(
  'what is not written as an address is not public: "%s"',
  (text) => {
    expect(isPublicAddress(text)).toBe(false)
  },
)
