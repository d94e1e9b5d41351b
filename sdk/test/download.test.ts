import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConnectionError, Pdfnorm, VerificationError } from '../src/index.ts'
import { portableSha256 } from '../src/transfer/portable-sha256.ts'
import { type Answer, problem, type Received, scriptedService } from './scripted-service.ts'

const pdf = Buffer.from(`%PDF-1.7 ${'…'.repeat(5000)}`)
const hash = createHash('sha256').update(pdf).digest('hex')

test('a file can be had as bytes, as a Blob and as a stream', async () => {
  const { baseUrl, received } = await scriptedService(file)
  const download = client(baseUrl).downloadArtifact(`sha256:${hash}`)
  expect(received).toHaveLength(0)

  expect(Buffer.from(await download.bytes())).toEqual(pdf)
  const blob = await download.blob()
  expect(blob.type).toBe('application/pdf')
  expect(Buffer.from(await blob.arrayBuffer())).toEqual(pdf)
  expect(Buffer.from(await new Response(download.stream()).arrayBuffer())).toEqual(pdf)
  expect(received.map(({ url }) => url)).toEqual(Array(3).fill(`/api/artifacts/${hash}`))
})

test('a file is written to a path, over what was there', async () => {
  const { baseUrl } = await scriptedService(file)
  const folder = await temporaryFolder()
  const path = join(folder, 'out.pdf')
  await writeFile(path, 'older')

  await client(baseUrl).downloadArtifact(hash).toFile(path)

  expect(await readFile(path)).toEqual(pdf)
  expect(await readdir(folder)).toEqual(['out.pdf'])
})

test('what is not the file of its hash is refused, and nothing of it stays', async () => {
  const { baseUrl, received } = await scriptedService(() => ({ body: `${pdf.toString()}!` }))
  const folder = await temporaryFolder()
  const download = client(baseUrl).downloadArtifact(hash)

  const saving = download.toFile(join(folder, 'out.pdf'))
  await expect(saving).rejects.toThrow(VerificationError)
  await expect(saving).rejects.toMatchObject({ code: 'HASH_MISMATCH', status: 200 })
  expect(await readdir(folder)).toEqual([])
  expect(received).toHaveLength(1)
  await expect(download.stream().pipeTo(new WritableStream())).rejects.toThrow(VerificationError)
})

test('a download that breaks is taken up where it broke', async () => {
  const { baseUrl, received } = await scriptedService(
    () => ({ body: pdf, cutAfter: 6000 }),
    (request) => ({ ...rangeOf(request), cutAfter: 3000 }),
    (request) => rangeOf(request),
  )
  expect(Buffer.from(await client(baseUrl).downloadArtifact(hash).bytes())).toEqual(pdf)
  expect(received.map(({ headers }) => headers.range)).toEqual([
    undefined,
    'bytes=6000-',
    'bytes=9000-',
  ])
  expect(received[1]?.headers['if-range']).toBe(`"${hash}"`)
})

test('a service without ranges sends the file again, and nothing comes twice', async () => {
  const { baseUrl } = await scriptedService(() => ({ body: pdf, cutAfter: 6000 }), file)
  expect(Buffer.from(await client(baseUrl).downloadArtifact(hash).bytes())).toEqual(pdf)
})

test('a download that keeps breaking is given up, and leaves no part of a file', async () => {
  const { baseUrl, received } = await scriptedService(() => ({ body: pdf, cutAfter: 6000 }))
  const folder = await temporaryFolder()
  const saving = client(baseUrl).downloadArtifact(hash).toFile(join(folder, 'out.pdf'))

  await expect(saving).rejects.toThrow(ConnectionError)
  expect(await readdir(folder)).toEqual([])
  expect(received).toHaveLength(3)
})

test('a refused download is an error, and no file', async () => {
  const { baseUrl } = await scriptedService(() => problem(404, 'EXPIRED'))
  const folder = await temporaryFolder()
  const saving = client(baseUrl).downloadArtifact(hash).toFile(join(folder, 'out.pdf'))
  await expect(saving).rejects.toMatchObject({ name: 'NotFoundError', code: 'EXPIRED' })
  expect(await readdir(folder)).toEqual([])
})

test('an aborted download leaves no part of a file', async () => {
  const controller = new AbortController()
  const { baseUrl } = await scriptedService(() => {
    controller.abort(new Error('no longer wanted'))
    return { body: pdf, cutAfter: 6000 }
  })
  const folder = await temporaryFolder()
  const { signal } = controller
  const saving = client(baseUrl).downloadArtifact(hash, { signal }).toFile(join(folder, 'out.pdf'))
  await expect(saving).rejects.toThrow('no longer wanted')
  expect(await readdir(folder)).toEqual([])
})

test('the hash of runtimes without one of their own is SHA-256, however the bytes are cut', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 12_345]) {
    const bytes = pdf.subarray(0, length)
    const expected = createHash('sha256').update(bytes).digest('hex')
    for (const step of [1, 7, 64, 65, 5000]) {
      const digest = portableSha256()
      for (let at = 0; at < length; at += step) digest.update(bytes.subarray(at, at + step))
      expect(digest.hex()).toBe(expected)
    }
  }
})

function file(): Answer {
  return { headers: { 'content-type': 'application/pdf' }, body: pdf }
}

function rangeOf({ headers }: Received): Answer {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1])
  const range = { 'content-range': `bytes ${from}-${pdf.length - 1}/${pdf.length}` }
  return { status: 206, headers: range, body: pdf.subarray(from) }
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pdfnorm-download-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

function client(baseUrl: string): Pdfnorm {
  return new Pdfnorm({ baseUrl, apiKey: 'pdfnorm_key', retryDelayMs: 1 })
}
