import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FileDriver } from '../src/artifact/file-driver.ts'
import { newArtifactKey, type ObjectStore, originalKey } from '../src/artifact/object-store.ts'
import { openObjectStore } from '../src/artifact/open-object-store.ts'
import { hasS3Server, type S3Server, startS3Server, whyNoS3Server } from './s3-server.ts'

const bytes = Buffer.from('%PDF-1.7 and what follows')
const nowhere = () => 'https://example.com/download'

let dataDirectory: string
let objects: ObjectStore
let s3: S3Server | null = null

beforeAll(async () => {
  if (hasS3Server) s3 = await startS3Server()
  else process.stderr.write(`Objects in S3 are not tested: ${whyNoS3Server}.\n`)
})
afterAll(() => s3?.[Symbol.asyncDispose]())
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'pdfnorm-objects-'))
})
afterEach(() => rm(dataDirectory, { recursive: true }))

describe.each([
  { kind: 'local files', isThere: true, staging: join('objects', '.incoming') },
  { kind: 'S3', isThere: hasS3Server, staging: 'incoming' },
])('objects in $kind:', ({ kind, isThere, staging }) => {
  beforeEach(async ({ skip }) => {
    skip(!isThere, whyNoS3Server)
    const storageUrl = kind === 'S3' ? s3?.storageUrl : undefined
    objects = await openObjectStore({ storageUrl, dataDirectory }, nowhere)
  })
  afterEach(async () => {
    if (kind !== 'S3' || !isThere) return
    for (const region of ['ca-central-1', 'us-east-2', 'eu-central-1'] as const) {
      for (const key of await objects.list(region)) await objects.delete(region, key)
    }
  })
  const staged = () => readdir(join(dataDirectory, staging))

  test('an object is read back whole, in a range, and with its size', async () => {
    await objects.put('eu-central-1', 'a/b.pdf', bytes)

    expect(await objects.read('eu-central-1', 'a/b.pdf')).toEqual(new Uint8Array(bytes))
    expect(await objects.sizeOf('eu-central-1', 'a/b.pdf')).toBe(bytes.length)
    const range = await objects.openStream('eu-central-1', 'a/b.pdf', { first: 1, last: 3 })
    expect(await textOf(range)).toBe('PDF')
    expect(await textOf(await objects.openStream('eu-central-1', 'a/b.pdf'))).toBe(String(bytes))
  })

  test('an object is in its region only', async () => {
    await objects.put('eu-central-1', 'a.pdf', bytes)

    expect(await objects.read('us-east-2', 'a.pdf')).toBeNull()
    expect(await objects.sizeOf('us-east-2', 'a.pdf')).toBeNull()
    expect(await objects.openStream('us-east-2', 'a.pdf')).toBeNull()
    expect(await objects.list('us-east-2')).toEqual([])
    expect(await objects.list('eu-central-1')).toEqual(['a.pdf'])
  })

  test('a staged file becomes an object and leaves the staging area', async () => {
    const file = await objects.stage()
    await file.write(bytes.subarray(0, 9))
    await file.write(bytes.subarray(9))
    await file.finish()
    await objects.adopt(file, 'ca-central-1', 'org_1/originals/x.pdf')
    await file.discard()

    expect(await objects.read('ca-central-1', 'org_1/originals/x.pdf')).toEqual(
      new Uint8Array(bytes),
    )
    expect(await staged()).toEqual([])
  })

  test('a discarded file is gone, at whatever point it was', async () => {
    const untouched = await objects.stage()
    const written = await objects.stage()
    await written.write(bytes)
    await untouched.discard()
    await written.discard()
    await written.discard()

    expect(await staged()).toEqual([])
  })

  test('what a crash left in the staging area is swept when it is old', async () => {
    const old = join(dataDirectory, staging, 'old')
    await writeFile(old, bytes)
    await utimes(old, new Date(0), new Date(0))
    const running = await objects.stage()
    await objects.sweep(new Date(Date.now() - 60_000))

    expect(await staged()).toHaveLength(1)
    await running.discard()
  })

  test('an object replaces a former one of its key as a whole', async () => {
    await objects.put('us-east-2', 'a.pdf', Buffer.alloc(100))
    await objects.put('us-east-2', 'a.pdf', bytes)

    expect(await objects.read('us-east-2', 'a.pdf')).toEqual(new Uint8Array(bytes))
  })

  test('a stream of unknown size becomes an object, also one of many parts', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'p')
    await objects.putStream('us-east-2', 'small', Readable.from([bytes]))
    await objects.putStream('us-east-2', 'large', Readable.from(Array(20).fill(chunk)))
    await objects.putStream('us-east-2', 'none', Readable.from([]))

    expect(await objects.read('us-east-2', 'small')).toEqual(new Uint8Array(bytes))
    expect(await objects.sizeOf('us-east-2', 'large')).toBe(20 * chunk.length)
    expect(await objects.sizeOf('us-east-2', 'none')).toBe(0)
  })

  test('a stream that breaks off leaves no object, whatever has been sent of it', async () => {
    for (const mebibytes of [0, 1, 17]) {
      const breaksOff = Readable.from(
        (async function* () {
          for (let n = 0; n < mebibytes; n += 1) yield Buffer.alloc(1024 * 1024)
          throw new Error('the connection is lost')
        })(),
      )
      await expect(objects.putStream('us-east-2', 'a.zip', breaksOff)).rejects.toThrow(
        /connection is lost|Cannot write/,
      )
      expect(await objects.sizeOf('us-east-2', 'a.zip')).toBeNull()
    }
    expect(await objects.list('us-east-2')).toEqual([])
  })

  test('an empty object is not taken for a missing one', async () => {
    await objects.put('us-east-2', 'empty', new Uint8Array())

    expect(await objects.read('us-east-2', 'empty')).toEqual(new Uint8Array())
    expect(await objects.sizeOf('us-east-2', 'empty')).toBe(0)
  })

  test('an object is deleted, and what is not there is none to delete', async () => {
    await objects.put('us-east-2', 'a/b.pdf', bytes)
    await objects.delete('us-east-2', 'a/b.pdf')
    await objects.delete('us-east-2', 'a/b.pdf')

    expect(await objects.sizeOf('us-east-2', 'a/b.pdf')).toBeNull()
  })

  test('the keys below a prefix are listed', async () => {
    for (const key of ['org_1/originals/1.pdf', 'org_1/originals/2.pdf', 'org_2/originals/1.pdf']) {
      await objects.put('us-east-2', key, bytes)
    }
    const keys = await objects.list('us-east-2', 'org_1/')
    expect(keys.toSorted()).toEqual(['org_1/originals/1.pdf', 'org_1/originals/2.pdf'])
    expect(await objects.list('us-east-2', 'org_3/')).toEqual([])
  })

  test('a download that its reader leaves ends without a fault', async () => {
    await objects.put('us-east-2', 'large', Buffer.alloc(4 * 1024 * 1024))
    const stream = await objects.openStream('us-east-2', 'large')
    for await (const _chunk of stream ?? []) break

    expect(stream?.destroyed).toBe(true)
    expect(await objects.sizeOf('us-east-2', 'large')).toBe(4 * 1024 * 1024)
  })
})

describe('objects in local files', () => {
  beforeEach(async () => {
    objects = await openObjectStore({ storageUrl: undefined, dataDirectory }, nowhere)
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
    expect(await readdir(join(dataDirectory, 'objects', '.incoming'))).toEqual([])
  })

  test('keys cannot leave the region', async () => {
    const outside = '../eu-central-1/a.pdf'
    await expect(objects.put('us-east-2', outside, bytes)).rejects.toThrow('traversal')
    const stream = Readable.from([bytes])
    await expect(objects.putStream('us-east-2', outside, stream)).rejects.toThrow('traversal')
    expect(await objects.list('eu-central-1')).toEqual([])
  })

  test('the storage says when it cannot be used', async () => {
    await objects.check()
    await rm(join(dataDirectory, 'objects', 'us-east-2'), { recursive: true })
    await expect(objects.check()).rejects.toThrow('ENOENT')
    await mkdir(join(dataDirectory, 'objects', 'us-east-2'))
  })

  test('keys keep organizations apart, and an artifact has another one each time it is stored', () => {
    const sha256 = 'ab'.repeat(32)
    const key = newArtifactKey(sha256)

    expect(originalKey('org_1', 'id')).toBe('org_1/originals/id.pdf')
    expect(key).toMatch(new RegExp(`^artifacts/ab/${sha256}\\.[0-9a-f-]{36}\\.pdf$`))
    expect(newArtifactKey(sha256)).not.toBe(key)
  })
})

describe.runIf(hasS3Server)('objects in S3', () => {
  const open = (changes: Record<string, string> = {}, bucket = 'pdfnorm-{region}') => {
    const url = new URL(s3?.storageUrl.replace('pdfnorm-{region}', bucket) ?? '')
    for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value)
    return openObjectStore({ storageUrl: url.href, dataDirectory }, nowhere)
  }
  const presigned = (fileName = 'export.zip') =>
    objects.presign('eu-central-1', 'org_1/a.zip', {
      fileName,
      contentType: 'application/zip',
      expiresInSeconds: 900,
    })
  beforeEach(async () => {
    objects = await open()
    await objects.put('eu-central-1', 'org_1/a.zip', bytes)
  })

  test('whoever has a presigned address downloads from the storage itself, also a part', async () => {
    const url = await presigned()
    const response = await fetch(url)

    expect(url.startsWith(`${s3?.endpoint}/pdfnorm-eu-central-1/some/prefix/org_1/`)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="export.zip"',
    })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
    const part = await fetch(url, { headers: { Range: 'bytes=1-3' } })
    expect([part.status, await part.text()]).toEqual([206, 'PDF'])
    await expect(presigned('a"b')).rejects.toThrow('The name of a download')
  })

  test('a presigned address that was changed in any place is refused', async () => {
    const url = await presigned()
    const forged = [
      url.replace('org_1', 'org_2'),
      url.replace('X-Amz-Expires=900', 'X-Amz-Expires=90000'),
      url.replace('export.zip', 'other.zip'),
      url.replace(/X-Amz-Signature=[0-9a-f]{4}/, 'X-Amz-Signature=0000'),
      url.replace(/&X-Amz-Signature=[0-9a-f]+/, ''),
      url.replace(/\?.*$/, ''),
    ]
    for (const address of forged) {
      expect(address).not.toBe(url)
      expect([400, 403]).toContain((await fetch(address)).status)
    }
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403)
    expect((await fetch(url)).status).toBe(200)
  })

  test('presigned addresses lead to where clients reach the storage', async () => {
    objects = await open({ public_endpoint: 'https://{region}.storage.example.com' })

    expect(await presigned()).toMatch(/^https:\/\/eu-central-1\.storage\.example\.com\/pdfnorm-/)
    expect(await objects.read('eu-central-1', 'org_1/a.zip')).toEqual(new Uint8Array(bytes))
  })

  test('more objects than one page of a list has are all listed', async () => {
    const keys = Array.from({ length: 1005 }, (_, n) => `many/${String(n).padStart(4, '0')}`)
    const bucket = join(s3?.directory ?? '', 'pdfnorm-us-east-2', 'some', 'prefix')
    await mkdir(join(bucket, 'many'), { recursive: true })
    await Promise.all(keys.map((key) => writeFile(join(bucket, key), bytes)))

    expect((await objects.list('us-east-2', 'many/')).toSorted()).toEqual(keys)
  })

  test('a wrong secret, a missing bucket and a bucket that cannot be one stop the start and are named', async () => {
    const absent = open({}, 'absent-{region}')
    await expect(absent).rejects.toThrow('there is no bucket absent-eu-central-1')
    const secret = process.env['AWS_SECRET_ACCESS_KEY']
    process.env['AWS_SECRET_ACCESS_KEY'] = 'another one'
    await expect(open()).rejects.toThrow('may not use the bucket pdfnorm-us-east-2')
    process.env['AWS_SECRET_ACCESS_KEY'] = secret
    await expect(open({}, '{region}_x')).rejects.toThrow('ca-central-1_x')
  })

  test('bytes that changed on their way into the bucket are refused', async () => {
    const file = await objects.stage()
    await file.write(bytes)
    await file.finish()
    await writeFile(file.path, Buffer.from(bytes).fill(0, 0, 1))

    await expect(objects.adopt(file, 'us-east-2', 'a.pdf')).rejects.toThrow(/checksum|digest/i)
    expect(await objects.sizeOf('us-east-2', 'a.pdf')).toBeNull()
    await file.discard()
  })

  test('parts that a dead process left are aborted when they are old', async () => {
    const client = new S3Client({
      endpoint: s3?.endpoint ?? '',
      region: 'us-east-1',
      forcePathStyle: true,
    })
    const begin = new CreateMultipartUploadCommand({
      Bucket: 'pdfnorm-us-east-2',
      Key: 'some/prefix/org_1/exports/1.zip',
    })
    await client.send(begin)
    const left = async () => {
      const files = await readdir(s3?.directory ?? '', { recursive: true })
      return files.filter((name) => name.includes('multipart') && /\/[0-9a-f-]{36}$/.test(name))
    }
    expect(await left()).toHaveLength(1)

    await objects.sweep(new Date(Date.now() - 60_000))
    expect(await left()).toHaveLength(1)
    await objects.sweep(new Date(Date.now() + 60_000))
    expect(await left()).toEqual([])
  })

  test('a storage that is away fails the call, and the next one finds it again', async () => {
    await s3?.stop()
    await expect(objects.read('eu-central-1', 'org_1/a.zip')).rejects.toThrow('ECONNREFUSED')
    await expect(objects.check()).rejects.toThrow('ECONNREFUSED')
    await expect(open()).resolves.toBeDefined()

    await s3?.start()
    expect(await objects.read('eu-central-1', 'org_1/a.zip')).toEqual(new Uint8Array(bytes))
  })
})

test('a storage that cannot be is refused with the reason', async () => {
  const faults: [string, string][] = [
    ['s3://one-bucket', 'a bucket per region'],
    ['s3://b-{region}?endpont=http://x', 'endpont'],
    ['s3://b-{region}?endpoint=ftp://x', 'ftp://x'],
    ['s3://b-{region}?path_style=yes', 'path_style'],
    ['s3://key:secret@b-{region}', 'credentials'],
  ]
  for (const [storageUrl, reason] of faults) {
    await expect(openObjectStore({ storageUrl, dataDirectory }, nowhere)).rejects.toThrow(reason)
  }
})

async function textOf(stream: Readable | null): Promise<string> {
  return Buffer.concat(await (stream ?? Readable.from([])).toArray()).toString()
}
