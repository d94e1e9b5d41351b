import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { type NameAnswer, startNameServer, type TestNameServer } from '../../test/name-server.ts'
import { hasOpenssl, run } from '../../test/openssl.ts'
import { answering, startReceiver, type TestReceiver } from '../../test/receiver.ts'
import { type OutgoingRequest, sendOutgoing } from './outgoing-request.ts'
import { refuseOutgoing } from './refuse-outgoing.ts'

const guarded = { allowPrivate: false, httpsOnly: false }
const development = { allowPrivate: true, httpsOnly: false }

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]()
})

async function receiverThat(...options: Parameters<typeof startReceiver>): Promise<TestReceiver> {
  const receiver = await startReceiver(...options)
  open.push(receiver)
  return receiver
}

async function namesThat(answers: Record<string, NameAnswer[]>): Promise<TestNameServer> {
  const names = await startNameServer(answers)
  open.push(names)
  return names
}

function request(port: number, more: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return {
    url: `http://127.0.0.1:${port}/hook?a=b`,
    headers: { 'content-type': 'application/json', 'x-service-signature': 'ab' },
    body: '{"event":"ü"}',
    timeoutMs: 20_000,
    ...more,
  }
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine'

test('one POST is sent with its headers and bytes, and the answer told', async () => {
  const receiver = await receiverThat(answering(ok))
  const answer = await sendOutgoing(request(receiver.port), development)

  expect(answer).toEqual({
    kind: 'answered',
    statusCode: 200,
    retryAfterSeconds: null,
    bodyExcerpt: 'fine',
    durationMs: expect.any(Number),
  })
  const [head = '', body] = receiver.received.split('\r\n\r\n')
  expect(head.toLowerCase().split('\r\n').sort()).toEqual(
    [
      'post /hook?a=b http/1.1',
      `host: 127.0.0.1:${receiver.port}`,
      'content-type: application/json',
      'x-service-signature: ab',
      'content-length: 14',
      'connection: close',
    ].sort(),
  )
  expect(Buffer.from(body ?? '', 'latin1').toString()).toBe('{"event":"ü"}')
})

test('a connection is closed after its answer and never used again', async () => {
  const receiver = await receiverThat((socket) => socket.write(ok))
  await sendOutgoing(request(receiver.port), development)
  await receiver.idle()
  await sendOutgoing(request(receiver.port), development)
  await receiver.idle()
  expect(receiver.connections).toBe(2)
})

test('a redirect is an answer: nothing goes to where it points', async () => {
  const inside = await receiverThat(answering(ok))
  const receiver = await receiverThat(
    answering(`HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:${inside.port}/\r\n\r\n`),
  )
  expect(await sendOutgoing(request(receiver.port), development)).toMatchObject({
    kind: 'answered',
    statusCode: 307,
  })
  expect(inside.connections).toBe(0)
})

test('no proxy of the environment is used', async () => {
  const proxy = await receiverThat(answering(ok))
  const receiver = await receiverThat(answering(ok))
  const variables = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  for (const name of variables) process.env[name] = `http://127.0.0.1:${proxy.port}`
  process.env['NODE_USE_ENV_PROXY'] = '1'
  try {
    await sendOutgoing(request(receiver.port), development)
  } finally {
    for (const name of variables) delete process.env[name]
  }
  expect([receiver.connections, proxy.connections]).toEqual([1, 0])
})

test('a receiver that asks for patience is heard', async () => {
  const receiver = await receiverThat(
    answering('HTTP/1.1 503 Busy\r\nRetry-After: 90\r\nContent-Length: 0\r\n\r\n'),
  )
  expect(await sendOutgoing(request(receiver.port), development)).toMatchObject({
    statusCode: 503,
    retryAfterSeconds: 90,
    bodyExcerpt: '',
  })
})

test.each([
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://0.0.0.0:PORT/',
  'http://[::]:PORT/',
  'http://[::1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://localhost:PORT/',
  'http://localhost.:PORT/',
  'http://x.localhost:PORT/',
  'http://u:p@127.0.0.1:PORT/',
  'ftp://127.0.0.1:PORT/',
  'not a url',
])('nothing connects to %s', async (url) => {
  const receiver = await receiverThat(answering(ok))
  const asked = url.replace('PORT', String(receiver.port))

  expect(await refuseOutgoing(asked, guarded)).not.toBeNull()
  expect(await sendOutgoing(request(0, { url: asked }), guarded)).toMatchObject({ kind: 'failed' })
  expect(receiver.connections).toBe(0)
})

test('a name that is public when it is given and private when it is sent to reaches nobody', async () => {
  const receiver = await receiverThat(answering(ok))
  const { resolver, questions } = await namesThat({
    'rebind.example': [{ ipv4: ['93.184.216.34'] }, { ipv4: ['127.0.0.1'] }],
  })
  const url = `http://rebind.example:${receiver.port}/`

  expect(await refuseOutgoing(url, { ...guarded, resolver })).toBeNull()
  const answer = await sendOutgoing(request(0, { url }), { ...guarded, resolver })
  expect(answer).toMatchObject({ kind: 'failed', error: { code: 'ADDRESS_FORBIDDEN' } })
  expect(JSON.stringify(answer)).not.toContain('127.0.0.1')
  expect(receiver.connections).toBe(0)
  expect(questions.filter((question) => question.startsWith('A '))).toHaveLength(2)
})

test('a name is asked for once a request: what is checked is what the socket connects to', async () => {
  const receiver = await receiverThat(answering(ok))
  const { resolver, questions } = await namesThat({
    // Whoever asked again would connect to where nobody listens.
    'hooks.example': [{ ipv4: ['127.0.0.1'] }, { ipv4: ['127.0.0.9'] }],
  })
  const url = `http://hooks.example:${receiver.port}/`

  expect(await sendOutgoing(request(0, { url }), { ...development, resolver })).toMatchObject({
    kind: 'answered',
  })
  expect(questions.sort()).toEqual(['A hooks.example', 'AAAA hooks.example'])
  expect(receiver.received.toLowerCase()).toContain(`host: hooks.example:${receiver.port}`)
})

test.each<[string, NameAnswer]>([
  ['loopback', { ipv4: ['127.0.0.1'] }],
  ['metadata', { ipv4: ['169.254.169.254'] }],
  ['a public and a private address', { ipv4: ['93.184.216.34', '127.0.0.1'] }],
  ['a private and a public address', { ipv4: ['127.0.0.1', '93.184.216.34'] }],
  ['a public IPv4 and a private IPv6', { ipv4: ['93.184.216.34'], ipv6: ['::1'] }],
  ['an IPv4-mapped address', { ipv6: ['::ffff:7f00:1'] }],
  ['a 6to4 address', { ipv6: ['2002:7f00:1::'] }],
  ['a unique local address', { ipv6: ['fd00:ec2::254'] }],
  ['a link-local address', { ipv6: ['fe80::1'] }],
  ['no network', { ipv4: ['0.0.0.0'] }],
])('a name with %s is refused when it is given and when it is sent to', async (_kind, answer) => {
  const receiver = await receiverThat(answering(ok))
  const { resolver } = await namesThat({ 'inside.example': [answer] })
  const url = `http://inside.example:${receiver.port}/`
  const policy = { ...guarded, resolver }

  expect(await refuseOutgoing(url, policy)).toMatchObject({ code: 'ADDRESS_FORBIDDEN' })
  expect(await sendOutgoing(request(0, { url }), policy)).toMatchObject({
    kind: 'failed',
    error: { code: 'ADDRESS_FORBIDDEN' },
  })
  expect(receiver.connections).toBe(0)
})

test.each<[string, NameAnswer]>([
  ['has no address', {}],
  ['has a name server that fails', 'fails'],
])('a name that %s may be given, and is not sent to', async (_kind, answer) => {
  const { resolver } = await namesThat({ 'later.example': [answer] })
  const url = 'http://later.example:8080/'
  const policy = { ...guarded, resolver }

  expect(await refuseOutgoing(url, policy)).toBeNull()
  expect(await sendOutgoing(request(0, { url }), policy)).toMatchObject({
    kind: 'failed',
    error: { code: 'NAME_NOT_RESOLVED' },
  })
})

test('what a resolver gives that is no address is refused', async () => {
  const resolver = { resolve4: async () => ['2130706433'], resolve6: async () => ['::1%lo'] }
  expect(await refuseOutgoing('http://odd.example:8080/', { ...guarded, resolver })).toMatchObject({
    code: 'ADDRESS_FORBIDDEN',
  })
})

test('the time for a request holds while names are asked for, in which nobody is answered', async () => {
  const { resolver } = await namesThat({ 'silent.example': ['is silent'] })
  const answer = await sendOutgoing(
    request(0, { url: 'http://silent.example:8080/', timeoutMs: 50 }),
    { ...guarded, resolver },
  )
  expect(answer).toMatchObject({ kind: 'failed', error: { code: 'TIMEOUT' } })
})

test.each<[string, Parameters<typeof startReceiver>[0]]>([
  ['says nothing', () => undefined],
  ['sends a head byte by byte', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: ')],
  ['sends one interim answer after another', (socket) => drip(socket, '', interim)],
])('a receiver that %s is given up in time', async (_kind, converse) => {
  const receiver = await receiverThat(converse)
  const answer = await sendOutgoing(request(receiver.port, { timeoutMs: 200 }), development)
  expect(answer).toMatchObject({ kind: 'failed', error: { code: 'TIMEOUT' } })
  await receiver.idle()
})

test('a receiver that answered and then drips its body has answered', async () => {
  const receiver = await receiverThat((socket) => drip(socket, 'HTTP/1.1 202 OK\r\n\r\n'))
  const answer = await sendOutgoing(request(receiver.port, { timeoutMs: 200 }), development)
  expect(answer).toMatchObject({ kind: 'answered', statusCode: 202 })
  await receiver.idle()
})

test('a body without end is read no further than its beginning', async () => {
  const receiver = await receiverThat((socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write('x'.repeat(65_536)));
      socket.once('drain', more)
    }
    socket.write('HTTP/1.1 500 Oh\r\nContent-Length: 999999999999\r\n\r\n')
    more()
  })
  expect(await sendOutgoing(request(receiver.port), development)).toMatchObject({
    statusCode: 500,
    bodyExcerpt: 'x'.repeat(1024),
  })
  await receiver.idle()
})

test('a body that breaks off leaves what came of it', async () => {
  const receiver = await receiverThat(
    answering('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
  )
  expect(await sendOutgoing(request(receiver.port), development)).toMatchObject({
    kind: 'answered',
    bodyExcerpt: 'half',
  })
})

test('an excerpt holds neither half a character nor what a database cannot store', async () => {
  const bytes = Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\n\r\na\u0000b\u001b[2J\tc\r\n'),
    Buffer.from([0xff, 0xc3]),
    Buffer.from('ü'.repeat(600)),
  ])
  const receiver = await receiverThat(answering(bytes))
  const answer = await sendOutgoing(request(receiver.port), development)
  const excerpt = answer.kind === 'answered' ? answer.bodyExcerpt : ''
  expect(excerpt.startsWith('a\ufffdb\ufffd[2J\tc\r\n\ufffd\ufffdü')).toBe(true)
  expect(excerpt.endsWith('ü')).toBe(true)
})

test.each([
  ['nothing', '', 'CONNECTION_FAILED'],
  ['half a head', 'HTTP/1.1 200 OK\r\nX: ', 'CONNECTION_FAILED'],
  ['another protocol', '220 mail.example ESMTP\r\n', 'INVALID_RESPONSE'],
  ['a head that is too large', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`, 'INVALID_RESPONSE'],
  ['a class that HTTP does not know', 'HTTP/1.1 999 Odd\r\n\r\n', 'INVALID_RESPONSE'],
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'INVALID_RESPONSE',
  ],
  [
    'another protocol to change to',
    'HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    'CONNECTION_FAILED',
  ],
])('a receiver that answers %s has not answered', async (_kind, bytes, code) => {
  const receiver = await receiverThat(answering(bytes))
  const answer = await sendOutgoing(request(receiver.port), development)
  expect(answer).toMatchObject({ kind: 'failed', error: { code } })
})

test('a receiver that resets the connection has not answered', async () => {
  const receiver = await receiverThat((socket) => socket.resetAndDestroy())
  expect(await sendOutgoing(request(receiver.port), development)).toMatchObject({
    kind: 'failed',
    error: { code: 'CONNECTION_FAILED' },
  })
})

test('a port where nobody listens is told without an address', async () => {
  const receiver = await startReceiver(answering(ok))
  await receiver[Symbol.asyncDispose]()
  const answer = await sendOutgoing(request(receiver.port), development)
  expect(answer).toMatchObject({
    kind: 'failed',
    error: { code: 'CONNECTION_FAILED', text: 'A connection could not be made: ECONNREFUSED.' },
  })
})

test('whoever stops waiting ends the request', async () => {
  const giveUp = new AbortController()
  const receiver = await receiverThat(() => giveUp.abort())
  const sent = sendOutgoing(request(receiver.port, { signal: giveUp.signal }), development)
  expect(await sent).toMatchObject({ kind: 'failed', error: { code: 'ABORTED' } })
  await receiver.idle()

  const late = sendOutgoing(request(receiver.port, { signal: giveUp.signal }), development)
  expect(await late).toMatchObject({ kind: 'failed', error: { code: 'ABORTED' } })
})

test.skipIf(!hasOpenssl)(
  'a secure receiver is believed for the name that its certificate has, from who is trusted',
  async () => {
    const { certificate, port } = await secureReceiver('hooks.example')
    const { resolver } = await namesThat({
      'hooks.example': [{ ipv4: ['127.0.0.1'] }],
      'other.example': [{ ipv4: ['127.0.0.1'] }],
    })
    const policy = { allowPrivate: true, httpsOnly: true, resolver }
    const send = (host: string) =>
      sendOutgoing(request(0, { url: `https://${host}:${port}/` }), policy)
    const refused = { kind: 'failed', error: { code: 'TLS_FAILED' } }

    expect(await send('hooks.example')).toMatchObject(refused)
    const known = getCACertificates('default')
    setDefaultCACertificates([...known, certificate])
    try {
      expect(await send('hooks.example')).toMatchObject({ kind: 'answered', statusCode: 200 })
      // RFC 1034, section 3.1: the dot of the root belongs to no certificate.
      expect(await send('hooks.example.')).toMatchObject({ kind: 'answered', statusCode: 200 })
      expect(await send('other.example')).toMatchObject(refused)
      expect(await send('127.0.0.1')).toMatchObject(refused)
    } finally {
      setDefaultCACertificates(known)
    }
  },
)

test('a receiver that does not speak TLS has not answered, nor one that says nothing', async () => {
  const plain = await receiverThat(answering(ok), 'at once')
  const silent = await receiverThat(() => undefined)
  const url = (port: number) => `https://127.0.0.1:${port}/`

  expect(await sendOutgoing(request(0, { url: url(plain.port) }), development)).toMatchObject({
    kind: 'failed',
    error: { code: 'TLS_FAILED' },
  })
  const patience = { url: url(silent.port), timeoutMs: 200 }
  expect(await sendOutgoing(request(0, patience), development)).toMatchObject({
    kind: 'failed',
    error: { code: 'TIMEOUT' },
  })
  await silent.idle()
})

/** An HTTPS server with a certificate that it signed itself. */
async function secureReceiver(name: string): Promise<{ certificate: string; port: number }> {
  const directory = await mkdtemp(join(tmpdir(), 'pdfnorm-tls-'))
  const [keyPath, certificatePath] = [join(directory, 'key'), join(directory, 'certificate')]
  const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2`
  const about = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  await run('openssl', [
    ...options.split(' '),
    ...about,
    '-keyout',
    keyPath,
    '-out',
    certificatePath,
  ])
  const certificate = await readFile(certificatePath, 'utf8')
  const server = createServer({ key: await readFile(keyPath), cert: certificate }, (_, response) =>
    response.end('fine'),
  )
  await rm(directory, { recursive: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push({
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return { certificate, port: address.port }
}

const interim = 'HTTP/1.1 102 Processing\r\n\r\n'

/** Sends the beginning, then a little now and again until the other side has had enough. */
function drip(
  socket: Parameters<Parameters<typeof startReceiver>[0]>[0],
  beginning: string,
  drop = '1',
): void {
  socket.write(beginning)
  const timer = setInterval(() => socket.write(drop), 10)
  socket.on('close', () => clearInterval(timer))
}
