import { describe, expect, test } from 'vitest'
import { outgoingTarget } from './outgoing-url.ts'

const guarded = { allowPrivate: false, httpsOnly: false }
const production = { allowPrivate: false, httpsOnly: true }
const development = { allowPrivate: true, httpsOnly: false }

const codeOf = (url: string, policy = guarded) => {
  const target = outgoingTarget(url, policy)
  return 'code' in target ? target.code : null
}

describe('every spelling of an address of our own network', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0x0.0x0.0x1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0177.0x0.1/',
    'http://127.0.0.1./',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://127.0.0.1\\@example.com/',
    'http:/\t/127.0.0.1/',
    'http:127.0.0.1/',
    'http:\\\\127.0.0.1\\',
    'http://0/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://10.1/',
    'http://192.168.257/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[2002:a9fe:a9fe::]/',
    'http://[2001:0:53aa:64c::]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[ff02::1]/',
  ])('%s is refused', (url) => {
    expect(codeOf(url)).toBe('ADDRESS_FORBIDDEN')
  })
})

test.each([
  'http://localhost/',
  'http://LOCALHOST/',
  'http://localhost./',
  'http://ｌocalhost/',
  'http://a.localhost:8080/',
  'http://metadata/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://metadata.google.internal./',
  'http://printer.local/',
  'http://router.home.arpa/',
  'http://postgres/',
])('a name that only our own network knows is refused: %s', (url) => {
  expect(codeOf(url)).toBe('ADDRESS_FORBIDDEN')
})

test.each([
  ['', 'URL_INVALID'],
  ['example.com', 'URL_INVALID'],
  ['//example.com/', 'URL_INVALID'],
  ['http://', 'URL_INVALID'],
  ['http://256.256.256.256/', 'URL_INVALID'],
  ['http://1.2.3.4.5/', 'URL_INVALID'],
  ['http://0x100000000/', 'URL_INVALID'],
  ['http://example.com:99999/', 'URL_INVALID'],
  ['http://[fe80::1%25eth0]/', 'URL_INVALID'],
  ['http://[fe80::1%eth0]/', 'URL_INVALID'],
  ['http://[::1/', 'URL_INVALID'],
  ['http://exam ple.com/', 'URL_INVALID'],
  ['http://example.com\u0000/', 'URL_INVALID'],
  ['http://example..com/', 'URL_INVALID'],
  ['http://example.com../', 'URL_INVALID'],
  ['http://./', 'URL_INVALID'],
  [`http://${'a'.repeat(64)}.com/`, 'URL_INVALID'],
  [`http://${'a.'.repeat(130)}com/`, 'URL_INVALID'],
  ['http://a*b.com/', 'URL_INVALID'],
  ['ftp://example.com/', 'SCHEME_FORBIDDEN'],
  ['file:///etc/passwd', 'SCHEME_FORBIDDEN'],
  ['gopher://example.com:70/_', 'SCHEME_FORBIDDEN'],
  ['javascript:alert(1)', 'SCHEME_FORBIDDEN'],
  ['unix:/var/run/docker.sock', 'SCHEME_FORBIDDEN'],
  ['http+unix://%2Fvar%2Frun%2Fdocker.sock/', 'SCHEME_FORBIDDEN'],
  ['ws://example.com/', 'SCHEME_FORBIDDEN'],
  ['http://user@example.com/', 'CREDENTIALS_FORBIDDEN'],
  ['http://:password@example.com/', 'CREDENTIALS_FORBIDDEN'],
  ['http://example.com@127.0.0.1/', 'CREDENTIALS_FORBIDDEN'],
  ['http://example.com:80@127.0.0.1/', 'CREDENTIALS_FORBIDDEN'],
  ['http://example.com:0/', 'PORT_FORBIDDEN'],
  ['http://example.com:22/', 'PORT_FORBIDDEN'],
  ['http://example.com:25/', 'PORT_FORBIDDEN'],
  ['http://example.com:1023/', 'PORT_FORBIDDEN'],
  ['http://example.com:6000/', 'PORT_FORBIDDEN'],
  ['http://example.com:6667/', 'PORT_FORBIDDEN'],
])('%j is refused as %s', (url, code) => {
  expect(codeOf(url)).toBe(code)
})

test('in production nothing goes without TLS', () => {
  expect(codeOf('http://example.com/', production)).toBe('SCHEME_FORBIDDEN')
  expect(codeOf('https://example.com/', production)).toBeNull()
})

test('in development our own network may be reached at any port, but nothing else becomes possible', () => {
  expect(codeOf('http://localhost:8080/', development)).toBeNull()
  expect(codeOf('http://127.1:8080/', development)).toBeNull()
  expect(codeOf('http://[::1]:8080/', development)).toBeNull()
  expect(codeOf('http://a:b@localhost/', development)).toBe('CREDENTIALS_FORBIDDEN')
  // Port 9 is where nobody listens: so an outage is tried.
  expect(codeOf('http://localhost:9/', development)).toBeNull()
  expect(codeOf('file:///etc/passwd', development)).toBe('SCHEME_FORBIDDEN')
})

test('what is connected to is what was checked', () => {
  expect(outgoingTarget('https://ExAmple.COM.:8443/a/../b?c=d#e', guarded)).toEqual({
    secure: true,
    host: 'example.com',
    port: 8443,
    authority: 'example.com:8443',
    path: '/b?c=d',
  })
  expect(outgoingTarget('http://[2606:4700:4700::1111]', guarded)).toEqual({
    secure: false,
    host: '2606:4700:4700::1111',
    port: 80,
    authority: '[2606:4700:4700::1111]',
    path: '/',
  })
  expect(outgoingTarget('https://bücher.example:443/ä b', guarded)).toMatchObject({
    host: 'xn--bcher-kva.example',
    port: 443,
    authority: 'xn--bcher-kva.example',
    path: '/%C3%A4%20b',
  })
})
