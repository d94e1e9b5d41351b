import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'

/** What a name server says of a name: addresses, or that it fails. */
export type NameAnswer = { ipv4?: string[]; ipv6?: string[] } | 'fails' | 'is silent'

export interface TestNameServer extends AsyncDisposable {
  /** Asks this server and no other. */
  resolver: Resolver
  /** The questions in their order, as `A example.com`. */
  questions: string[]
}

const types = new Map([
  [1, 'A'],
  [28, 'AAAA'],
])

/**
 * A DNS server on loopback (RFC 1035, over UDP).
 *
 * @param answers of each name one after the other; the last one is given ever after
 */
export async function startNameServer(
  answers: Readonly<Record<string, readonly NameAnswer[]>>,
): Promise<TestNameServer> {
  const questions: string[] = []
  const asked = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = question(query)
    const kind = types.get(type) ?? String(type)
    const script = answers[name] ?? [{}]
    // Both families of one lookup get the same step.
    const step = asked.get(`${kind} ${name}`) ?? 0
    asked.set(`${kind} ${name}`, step + 1)
    questions.push(`${kind} ${name}`)
    const answer = script[Math.min(step, script.length - 1)] ?? {}
    if (answer === 'is silent') return
    socket.send(reply(query.subarray(0, end), type, answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')

  const resolver = new Resolver({ timeout: 5000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    resolver,
    questions,
    async [Symbol.asyncDispose]() {
      resolver.cancel()
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

/** RFC 1035, section 4.1.2. */
function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** RFC 1035, section 4.1.1 and 4.1.3: the question again, and a record for each address. */
function reply(asked: Buffer, type: number, answer: Exclude<NameAnswer, 'is silent'>): Buffer {
  const addresses = answer === 'fails' ? [] : ((type === 1 ? answer.ipv4 : answer.ipv6) ?? [])
  const head = Buffer.from(asked)
  // Answer, recursion available; SERVFAIL is 2.
  head.writeUInt16BE(answer === 'fails' ? 0x81_82 : 0x81_80, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const data = type === 1 ? ipv4Bytes(address) : ipv6Bytes(address)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc0_0c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, ...records])
}

function ipv4Bytes(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number))
}

function ipv6Bytes(address: string): Buffer {
  const [before = '', after = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const [left, right] = [groups(before), groups(after)]
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const hex = [...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join('')
  return Buffer.from(hex, 'hex')
}
