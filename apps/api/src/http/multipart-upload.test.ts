import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ObjectStore } from '../artifact/object-store.ts'
import { openObjectStore } from '../artifact/open-object-store.ts'
import { readUpload, type UploadLimits } from './multipart-upload.ts'

type Result = Awaited<ReturnType<typeof readUpload>>

const KiB = 1024
const limits: UploadLimits = { uploadMaxBytes: 256 * KiB, keepMaxBytes: 128 * KiB }

let dataDirectory: string
let objects: Pick<ObjectStore, 'stage'>
let server: Server
let results: Promise<Result>[]
let onResult: (result: Result) => Promise<void>

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'pdfnorm-upload-'))
  const nowhere = () => 'https://example.com/download'
  objects = await openObjectStore({ storageUrl: undefined, dataDirectory }, nowhere)
  results = []
  onResult = discard
  server = createServer((req, res) => {
    const result = readUpload(req, objects, limits)
    results.push(result)
    result
      .then(async (upload) => {
        await onResult(upload)
        return describe(upload)
      })
      .then(
        (answer) => res.end(answer),
        (error: unknown) => res.writeHead(500).end(String(error)),
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(dataDirectory, { recursive: true })
})

const staged = () => readdir(join(dataDirectory, 'objects', '.incoming'))
const address = () => server.address() as AddressInfo
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function discard(result: Result): Promise<void> {
  if (!(result instanceof Refusal)) await result.file?.staged?.discard()
}

function describe(result: Result): string {
  if (result instanceof Refusal) return `${result.code}: ${result.detail}`
  const { fields, file, faults } = result
  if (faults.length > 0 || file === null) {
    return faults.map(({ code, message }) => `${code}: ${message}`).join('; ')
  }
  return JSON.stringify([Object.fromEntries(fields), file.sha256])
}

function pdfOf(sizeBytes: number): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(sizeBytes, 'x')], sizeBytes)
}

async function send(form: FormData): Promise<string> {
  const url = `http://127.0.0.1:${address().port}/`
  return (await fetch(url, { method: 'POST', body: form })).text()
}

function formWith(bytes: Buffer<ArrayBuffer>, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'a.pdf')
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

test('a file is hashed and staged whole, with the fields before and after it', async () => {
  const pdf = pdfOf(100 * KiB)
  let stagedBytes: Uint8Array | null = null
  onResult = async (result) => {
    const staged = result instanceof Refusal ? null : result.file?.staged
    if (!staged) return
    stagedBytes = await readFile(staged.path)
    await discard(result)
  }
  const form = new FormData()
  form.append('linearize', 'false')
  form.append('file', new Blob([pdf]), 'a.pdf')
  form.append('region', 'us-east-2')

  expect(await send(form)).toBe(
    JSON.stringify([{ linearize: 'false', region: 'us-east-2' }, sha256(pdf)]),
  )
  expect(stagedBytes).toEqual(pdf)
})

test('the header may stand anywhere in the first 1,024 bytes, and nowhere else', async () => {
  const at = (offset: number) =>
    Buffer.concat([Buffer.alloc(offset, ' '), Buffer.from('%PDF-1.4'), Buffer.alloc(2000, 'x')])

  expect(await send(formWith(at(1019)))).toContain(sha256(at(1019)))
  expect(await send(formWith(at(1020)))).toMatch(/^INVALID_FILE: .*not a PDF/)
  expect(await send(formWith(Buffer.from('%PDF-')))).toContain(sha256(Buffer.from('%PDF-')))
  expect(await staged()).toEqual([])
})

test('an upload without a file, with an empty one, with text for a file or with two files is refused', async () => {
  const none = new FormData()
  none.append('linearize', 'true')
  const text = new FormData()
  text.append('file', '%PDF-1.4')
  const two = formWith(pdfOf(2000))
  two.append('file', new Blob([pdfOf(2000)]), 'b.pdf')

  expect(await send(none)).toMatch(/^INVALID_FILE: There is no part `file`/)
  expect(await send(text)).toMatch(/^INVALID_FILE: .*filename/)
  expect(await send(formWith(Buffer.alloc(0)))).toMatch(/^INVALID_FILE: The file is empty/)
  expect(await send(two)).toMatch(/^INVALID_FILE: .*two parts/)
  expect(await staged()).toEqual([])
})

test('a file of exactly the largest size passes; one byte more is cut off', async () => {
  const largest = pdfOf(limits.uploadMaxBytes)

  expect(await send(formWith(largest))).toContain(sha256(largest))
  expect(await send(formWith(pdfOf(limits.uploadMaxBytes + 1)))).toMatch(/^FILE_TOO_LARGE/)
  expect(await staged()).toEqual([])
})

test('a file over the size to keep is hashed to its end and not kept', async () => {
  const kept = pdfOf(limits.keepMaxBytes)
  const notKept = pdfOf(limits.keepMaxBytes + 1)

  await send(formWith(kept))
  expect(await send(formWith(notKept))).toContain(sha256(notKept))
  const [first, second] = await Promise.all(results)
  expect(first).toMatchObject({ file: { sizeBytes: kept.length, staged: expect.anything() } })
  expect(second).toMatchObject({ file: { sizeBytes: notKept.length, staged: null } })
  expect(await staged()).toEqual([])
})

test('unknown parts are ignored, files among them; a field given twice is a fault', async () => {
  const form = formWith(pdfOf(2000), { newer: '1', ['__proto__']: 'x' })
  form.append('thumbnail', new Blob(['png']), 't.png')
  const twice = formWith(pdfOf(2000), { region: 'us-east-2' })
  twice.append('region', 'eu-central-1')

  expect(await send(form)).toContain(sha256(pdfOf(2000)))
  expect(await send(twice)).toBe('duplicate: is given twice')
  expect(await staged()).toEqual([])
})

test('a field that is longer than any field may be is a fault', async () => {
  expect(await send(formWith(pdfOf(2000), { region: 'x'.repeat(20_000) }))).toMatch(
    /^too_big: is too long$/,
  )
})

test('a form of endless parts is refused', async () => {
  const form = formWith(pdfOf(2000))
  for (let i = 0; i < 200; i += 1) form.append(`field${i}`, 'x')

  expect(await send(form)).toMatch(/^VALIDATION_ERROR: .*more parts/)
  expect(await staged()).toEqual([])
})

/** Sends bytes as they are, and gives the answer that came until the server or this side closed. */
async function sendRaw(
  head: readonly string[],
  body: string | Uint8Array,
  { hangUp = false }: { hangUp?: boolean } = {},
): Promise<string> {
  const socket = connect(address().port, '127.0.0.1')
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1')
    if (answer.endsWith('\r\n0\r\n\r\n') || answer.includes('Content-Length')) socket.end()
  })
  await once(socket, 'connect')
  const begun = once(server, 'request')
  socket.write(['POST / HTTP/1.1', 'Host: x', ...head, '', ''].join('\r\n'))
  socket.write(body)
  await begun
  if (hangUp) socket.destroy()
  else await once(socket, 'close')
  return answer
}

const multipart = 'Content-Type: multipart/form-data; boundary=b'
const opening =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4 '

test('a body that is not multipart, names no boundary or breaks off is refused', async () => {
  const json = await sendRaw(['Content-Type: application/json', 'Content-Length: 2'], '{}')
  const noBoundary = await sendRaw(['Content-Type: multipart/form-data', 'Content-Length: 0'], '')
  const breaksOff = await sendRaw([multipart, `Content-Length: ${opening.length}`], opening)

  expect(json).toContain('UNSUPPORTED_MEDIA_TYPE')
  expect(noBoundary).toContain('VALIDATION_ERROR')
  expect(breaksOff).toContain('VALIDATION_ERROR')
  expect(await staged()).toEqual([])
})

test('an announced body that is too large is refused before it is sent', async () => {
  const answer = await sendRaw([multipart, 'Content-Length: 99999999'], opening)

  expect(answer).toContain('FILE_TOO_LARGE')
  expect(await staged()).toEqual([])
})

test('a client that hangs up in the middle leaves nothing behind', async () => {
  await sendRaw([multipart, 'Content-Length: 50000'], opening, { hangUp: true })
  const [result] = await Promise.all(results)

  expect(result).toBeInstanceOf(Refusal)
  expect(await staged()).toEqual([])
})

test('parts that nobody reads do not make a body endless', async () => {
  const ignored = (i: number) =>
    `--b\r\nContent-Disposition: form-data; name="other${i}"; filename="x"\r\n\r\n${'x'.repeat(200 * KiB)}\r\n`
  const body = Array.from({ length: 9 }, (_, i) => ignored(i)).join('')
  const length = body.length.toString(16)
  const answer = await sendRaw(
    [multipart, 'Transfer-Encoding: chunked'],
    `${length}\r\n${body}\r\n`,
  )

  expect(answer).toContain('FILE_TOO_LARGE')
})

test('a storage that fails is a fault of the service and leaves nothing behind', async () => {
  const whole = objects
  objects = {
    stage: async () => ({
      ...(await whole.stage()),
      write: () => Promise.reject(new Error('no space left')),
    }),
  }

  expect(await send(formWith(pdfOf(100 * KiB)))).toBe('Error: no space left')
  expect(await staged()).toEqual([])
})
