import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileDriver } from './file-driver.ts'
import { createObjectStore, newArtifactKey, type ObjectStore, originalKey } from './object-store.ts'

let dataDirectory: string
let objects: ObjectStore

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'pdfnorm-objects-'))
  objects = await createObjectStore({ storageUrl: undefined, dataDirectory }, nowhere)
})
afterEach(() => rm(dataDirectory, { recursive: true }))

const nowhere = () => 'https://example.com/download'
const bytes = Buffer.from('%PDF-1.7 and what follows')
const staging = () => readdir(join(dataDirectory, 'objects', '.incoming'))

test('an object is read back whole, in a range, and with its size', async () => {
  await objects.put('eu-central-1', 'a/b.pdf', bytes)

  expect(await objects.read('eu-central-1', 'a/b.pdf')).toEqual(new Uint8Array(bytes))
  expect(await objects.sizeOf('eu-central-1', 'a/b.pdf')).toBe(bytes.length)
  const range = await objects.openStream('eu-central-1', 'a/b.pdf', { first: 1, last: 3 })
  expect(Buffer.concat(await (range ?? Readable.from([])).toArray()).toString()).toBe('PDF')
})

test('an object is in its region only', async () => {
  await objects.put('eu-central-1', 'a.pdf', bytes)

  expect(await objects.read('us-east-2', 'a.pdf')).toBeNull()
  expect(await objects.openStream('us-east-2', 'a.pdf')).toBeNull()
  expect(await objects.list('us-east-2')).toEqual([])
  expect(await objects.list('eu-central-1')).toEqual(['a.pdf'])
})

test('a staged file becomes an object and leaves the staging area', async () => {
  const staged = await objects.stage()
  await staged.write(bytes.subarray(0, 9))
  await staged.write(bytes.subarray(9))
  await staged.finish()
  await objects.adopt(staged, 'ca-central-1', 'org_1/originals/x.pdf')
  await staged.discard()

  expect(await objects.read('ca-central-1', 'org_1/originals/x.pdf')).toEqual(new Uint8Array(bytes))
  expect(await staging()).toEqual([])
})

test('a discarded file is gone, at whatever point it was', async () => {
  const untouched = await objects.stage()
  const written = await objects.stage()
  await written.write(bytes)
  await untouched.discard()
  await written.discard()
  await written.discard()

  expect(await staging()).toEqual([])
})

test('a write that fails leaves the former object and no part of the new one', async () => {
  const root = join(dataDirectory, 'objects', 'us-east-2')
  const driver = new FileDriver(root, join(dataDirectory, 'objects', '.incoming'))
  await driver.put('a.pdf', bytes)
  const breaksOff = Readable.from(
    (async function* () {
      yield Buffer.from('half of')
      throw new Error('the connection is lost')
    })(),
  )

  await expect(driver.putStream('a.pdf', breaksOff)).rejects.toThrow('the connection is lost')
  expect(await objects.read('us-east-2', 'a.pdf')).toEqual(new Uint8Array(bytes))
  expect(await staging()).toEqual([])
})

test('an empty object is not taken for a missing one', async () => {
  await objects.put('us-east-2', 'empty', new Uint8Array())

  expect(await objects.read('us-east-2', 'empty')).toEqual(new Uint8Array())
  expect(await objects.sizeOf('us-east-2', 'empty')).toBe(0)
})

test('what a crash left in the staging area is swept when it is old', async () => {
  const old = join(dataDirectory, 'objects', '.incoming', 'old')
  await writeFile(old, bytes)
  await utimes(old, new Date(0), new Date(0))
  const running = await objects.stage()
  await objects.sweep(new Date(Date.now() - 60_000))

  expect(await staging()).toHaveLength(1)
  await running.discard()
})

test('keys cannot leave the region', async () => {
  await expect(objects.put('us-east-2', '../eu-central-1/a.pdf', bytes)).rejects.toThrow(
    'traversal',
  )
  expect(await objects.list('eu-central-1')).toEqual([])
})

test('the storage says when it cannot be used', async () => {
  await objects.check()
  await rm(join(dataDirectory, 'objects', 'us-east-2'), { recursive: true })
  await expect(objects.check()).rejects.toThrow('ENOENT')
  await mkdir(join(dataDirectory, 'objects', 'us-east-2'))
})

test('a kind of storage that is not supported stops the start and names the setting', async () => {
  await expect(
    createObjectStore({ storageUrl: 's3://bucket', dataDirectory }, nowhere),
  ).rejects.toThrow('STORAGE_URL')
})

test('keys keep organizations apart, and an artifact has another one each time it is stored', () => {
  const sha256 = 'ab'.repeat(32)
  const key = newArtifactKey(sha256)

  expect(originalKey('org_1', 'id')).toBe('org_1/originals/id.pdf')
  expect(key).toMatch(new RegExp(`^artifacts/ab/${sha256}/[0-9a-f-]{36}\\.pdf$`))
  expect(newArtifactKey(sha256)).not.toBe(key)
})
