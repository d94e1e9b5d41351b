import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ConnectionError, Pdfnorm } from '../src/index.ts'

const run = promisify(execFile)
const megabyte = 1024 * 1024
const largeBytes = 100 * megabyte
const hugeBytes = 200 * megabyte
const smallBytes = megabyte
const zeros = Buffer.alloc(megabyte)

let folder: string
let large: string
let small: string
let requests: string[]
/** Breaks the connection after that many bytes of an upload or download. */
let breaksAfter: number
const server = createServer(
  (req, res) => void (req.method === 'POST' ? take(req, res) : give(req, res)),
)
let baseUrl: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdfnorm-large-'))
  large = await fileOfZeros('large.pdf', largeBytes)
  small = await fileOfZeros('small.pdf', smallBytes)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

beforeEach(() => {
  requests = []
  breaksAfter = Infinity
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

test('100 MB go up from every source with less than 40 MB of memory', async () => {
  expect(await growth('up', small, large)).toBeLessThan(40 * megabyte)
})

test('a file of 200 MB comes down with far less memory than that', async () => {
  // Most of it is what fetch itself has not yet cleared away.
  const hashes = [hashOfZeros(smallBytes), hashOfZeros(hugeBytes)] as const
  expect(await growth('down', ...hashes)).toBeLessThan(120 * megabyte)
})

test('an upload that breaks in the middle of 100 MB is repeated when the file can be read again', async () => {
  breaksAfter = largeBytes / 2
  await expect(client().normalize(large)).rejects.toThrow(ConnectionError)
  expect(requests).toHaveLength(3)
})

test('an upload of a stream that breaks in the middle of 100 MB is not repeated', async () => {
  breaksAfter = largeBytes / 2
  const upload = client().normalize(createReadStream(large))
  await expect(upload).rejects.toMatchObject({ name: 'ConnectionError', code: 'CONNECTION_FAILED' })
  expect(requests).toHaveLength(1)
})

test('a download that breaks in the middle of 100 MB is taken up there, and is whole', async () => {
  breaksAfter = largeBytes / 2
  const path = join(folder, 'out.pdf')
  await client().downloadArtifact(hashOfZeros(largeBytes)).toFile(path)
  expect((await stat(path)).size).toBe(largeBytes)
  expect(requests[0]).toBe('GET whole')
  expect(requests[1]).toMatch(/^GET bytes=\d{8}-$/)
})

test('a download that breaks for good leaves no part of a file', async () => {
  breaksAfter = 10 * megabyte
  const path = join(folder, 'part.pdf')
  const saving = client().downloadArtifact(hashOfZeros(largeBytes)).toFile(path)
  await expect(saving).rejects.toThrow(ConnectionError)
  expect((await readdir(folder)).filter((name) => name.startsWith('part.pdf'))).toEqual([])
  expect(requests).toHaveLength(3)
})

/** By how many bytes a process grows when it moves the large one. */
async function growth(
  direction: 'up' | 'down',
  smallOne: string,
  largeOne: string,
): Promise<number> {
  const program = join(import.meta.dirname, 'large-file-transfers.ts')
  const args = [program, baseUrl, direction, smallOne, largeOne]
  const { stdout } = await run(process.execPath, args)
  const bytes = Number(stdout)
  expect(bytes).toBeGreaterThanOrEqual(0)
  return bytes
}

function client(): Pdfnorm {
  return new Pdfnorm({ baseUrl, apiKey: null, retryDelayMs: 1 })
}

async function take(req: IncomingMessage, res: ServerResponse): Promise<void> {
  requests.push('POST')
  req.on('error', () => {})
  let received = 0
  req.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > breaksAfter) req.destroy()
  })
  req.on('end', () => res.setHeader('content-type', 'application/json').end('{"status":"PENDING"}'))
}

/** As many zeros as the hash in the path is of, from the byte on that is asked for. */
async function give(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const range = req.headers.range ?? 'whole'
  requests.push(`GET ${range}`)
  const sizes = [smallBytes, largeBytes, hugeBytes]
  const size = sizes.find((bytes) => req.url?.endsWith(hashOfZeros(bytes))) ?? 0
  const from = Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0)
  res.writeHead(from > 0 ? 206 : 200, { 'content-length': size - from })
  const end = Math.min(size, from + breaksAfter)
  // What is announced and does not come breaks the connection.
  await pipeline(Readable.from(zerosOf(end - from)), res, { end: end === size }).catch(() => {})
  if (end < size) res.destroy()
}

function* zerosOf(size: number): Generator<Uint8Array> {
  for (let left = size; left > 0; left -= megabyte) yield zeros.subarray(0, left)
}

/** A hole: it takes no room on the disk. */
async function fileOfZeros(name: string, size: number): Promise<string> {
  const path = join(folder, name)
  const file = await open(path, 'w')
  await file.truncate(size)
  await file.close()
  return path
}

const hashes = new Map<number, string>()

function hashOfZeros(size: number): string {
  const known = hashes.get(size)
  if (known !== undefined) return known
  const digest = createHash('sha256')
  for (const chunk of zerosOf(size)) digest.update(chunk)
  const hash = digest.digest('hex')
  hashes.set(size, hash)
  return hash
}
