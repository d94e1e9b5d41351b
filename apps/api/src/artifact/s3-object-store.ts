import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Region } from '@pdfnorm/contracts/schema/region'
import { attachment } from './content-disposition.ts'
import type { ByteRange } from './file-driver.ts'
import type { ObjectStore, PresignedDownloadOptions, StagedObject } from './object-store.ts'
import type { S3Location } from './s3-location.ts'
import { openStagingArea, type StagingArea } from './staging-area.ts'

/**
 * Objects in S3, or in a server that speaks its protocol: one bucket per region.
 *
 * @param stagingDirectory local, for uploads whose region and hash are not known yet
 * @throws Error which says what is wrong with which bucket; that the endpoint cannot be reached now is none of it
 */
export async function openS3ObjectStore(
  locations: ReadonlyMap<Region, S3Location>,
  stagingDirectory: string,
): Promise<ObjectStore> {
  const buckets = new Map([...locations].map(([region, at]) => [region, new S3Bucket(at)]))
  const faults = await Promise.all([...buckets.values()].map((bucket) => bucket.fault()))
  const found = faults.filter((fault) => fault !== null)
  if (found.length > 0) throw new Error(found.join('; '))

  return new S3ObjectStore(buckets, await openStagingArea(stagingDirectory))
}

/** One part of an object of unknown size, in bytes: 10,000 of them (the most that S3 takes) are 80 GiB. */
const partBytes = 8 * 1024 * 1024
/** Parts that are on their way at once, each in memory. */
const partsAtOnce = 2

const attempts = 4

class S3ObjectStore implements ObjectStore {
  readonly #buckets: ReadonlyMap<Region, S3Bucket>
  readonly #staging: StagingArea

  constructor(buckets: ReadonlyMap<Region, S3Bucket>, staging: StagingArea) {
    this.#buckets = buckets
    this.#staging = staging
  }

  stage(): Promise<StagedObject> {
    return this.#staging.stage()
  }

  async adopt(staged: StagedObject, region: Region, key: string): Promise<void> {
    await this.#in(region).putFile(key, staged)
    await staged.discard()
  }

  put(region: Region, key: string, bytes: Uint8Array): Promise<void> {
    return this.#in(region).put(key, bytes)
  }

  putStream(region: Region, key: string, bytes: Readable): Promise<void> {
    return this.#in(region).putStream(key, bytes)
  }

  presign(region: Region, key: string, options: PresignedDownloadOptions): Promise<string> {
    return this.#in(region).presign(key, options)
  }

  read(region: Region, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#in(region).read(key)
  }

  openStream(region: Region, key: string, range?: ByteRange): Promise<Readable | null> {
    return this.#in(region).openStream(key, range)
  }

  sizeOf(region: Region, key: string): Promise<number | null> {
    return this.#in(region).sizeOf(key)
  }

  delete(region: Region, key: string): Promise<void> {
    return this.#in(region).delete(key)
  }

  list(region: Region, prefix = ''): Promise<string[]> {
    return this.#in(region).list(prefix)
  }

  async sweep(olderThan: Date): Promise<void> {
    await this.#staging.sweep(olderThan)
    for (const bucket of this.#buckets.values()) await bucket.abortUploads(olderThan)
  }

  async check(): Promise<void> {
    await Promise.all([...this.#buckets.values()].map((bucket) => bucket.check()))
  }

  #in(region: Region): S3Bucket {
    const bucket = this.#buckets.get(region)
    if (bucket === undefined) throw new Error(`No storage for the region ${region}`)
    return bucket
  }
}

class S3Bucket {
  readonly #at: S3Location
  readonly #client: S3Client
  /** Signs for the address under which clients reach the bucket. */
  readonly #publicClient: S3Client

  constructor(at: S3Location) {
    this.#at = at
    this.#client = clientOf(at, at.endpoint)
    this.#publicClient =
      at.publicEndpoint === at.endpoint ? this.#client : clientOf(at, at.publicEndpoint)
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#client.send(new PutObjectCommand({ ...this.#object(key), Body: bytes }))
  }

  /**
   * The SDK repeats no request whose body is a stream: here it is opened anew for each. The checksum is given because
   * the SDK's own is computed in a stream that reads the file ahead of the network, into the memory.
   */
  async putFile(key: string, { path, crc32 }: StagedObject): Promise<void> {
    const { size } = await stat(path)
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(crc32)
    const facts = { ContentLength: size, ChecksumCRC32: checksum.toString('base64') }
    await again(async () => {
      const file = createReadStream(path)
      const object = { ...this.#object(key), ...facts, Body: file }
      try {
        await this.#client.send(new PutObjectCommand(object))
      } finally {
        file.destroy()
      }
    })
  }

  /** In parts, of which nothing is left when one fails. */
  async putStream(key: string, bytes: Readable): Promise<void> {
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#object(key), Body: bytes },
      partSize: partBytes,
      queueSize: partsAtOnce,
      leavePartsOnError: false,
    })
    try {
      await upload.done()
    } finally {
      bytes.destroy()
    }
  }

  async presign(
    key: string,
    { expiresInSeconds, fileName, contentType }: PresignedDownloadOptions,
  ): Promise<string> {
    const download = new GetObjectCommand({
      ...this.#object(key),
      ResponseContentDisposition: attachment(fileName),
      ResponseContentType: contentType,
    })
    return getSignedUrl(this.#publicClient, download, { expiresIn: expiresInSeconds })
  }

  /** Into one buffer of its own, so that it can be handed to another thread without a copy. */
  async read(key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return again(async () => {
      const answer = await this.#get(key)
      if (answer === null) return null
      const bytes = new Uint8Array(answer.ContentLength ?? 0)
      let filled = 0
      for await (const chunk of streamOf(answer) as AsyncIterable<Uint8Array>) {
        bytes.set(chunk, filled)
        filled += chunk.length
      }
      if (filled !== bytes.length) throw new Error('The object breaks off')
      return bytes
    })
  }

  async openStream(key: string, range?: ByteRange): Promise<Readable | null> {
    const answer = await this.#get(key, range)
    return answer === null ? null : streamOf(answer)
  }

  async sizeOf(key: string): Promise<number | null> {
    const answer = await unlessMissing(this.#client.send(new HeadObjectCommand(this.#object(key))))
    return answer === null ? null : (answer.ContentLength ?? 0)
  }

  async delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(key)))
  }

  async list(prefix: string): Promise<string[]> {
    const { bucket, keyPrefix } = this.#at
    const keys: string[] = []
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: bucket, Prefix: keyPrefix + prefix },
    )
    for await (const { Contents: objects = [] } of pages) {
      for (const { Key: key } of objects) {
        if (key !== undefined) keys.push(key.slice(keyPrefix.length))
      }
    }
    return keys
  }

  /** Parts that a process left which died in the middle are kept, and paid for, until somebody says so. */
  async abortUploads(olderThan: Date): Promise<void> {
    const bucket = { Bucket: this.#at.bucket, Prefix: this.#at.keyPrefix }
    let next: { KeyMarker?: string; UploadIdMarker?: string } | null = {}
    try {
      while (next !== null) {
        const page: ListMultipartUploadsCommandOutput = await this.#client.send(
          new ListMultipartUploadsCommand({ ...bucket, ...next }),
        )
        for (const { Key: key, UploadId: uploadId, Initiated: begun } of page.Uploads ?? []) {
          if (begun === undefined || begun >= olderThan) continue
          const upload = { Bucket: bucket.Bucket, Key: key, UploadId: uploadId }
          await this.#client.send(new AbortMultipartUploadCommand(upload))
        }
        const { IsTruncated: hasMore, NextKeyMarker, NextUploadIdMarker } = page
        next =
          hasMore === true && NextKeyMarker !== undefined
            ? {
                KeyMarker: NextKeyMarker,
                ...(NextUploadIdMarker && { UploadIdMarker: NextUploadIdMarker }),
              }
            : null
      }
    } catch {
      // It is tried at each start, and nothing depends on it; a rule of the bucket may do the same.
    }
  }

  /** @throws when the bucket cannot be used now */
  async check(): Promise<void> {
    await this.#client.send(new HeadBucketCommand({ Bucket: this.#at.bucket }))
  }

  /** What is wrong with the settings; null also when nobody answers, which may be over in a moment. */
  async fault(): Promise<string | null> {
    const { bucket, signingRegion } = this.#at
    try {
      await this.check()
      return null
    } catch (error) {
      if (error instanceof Error && error.name === 'CredentialsProviderError') {
        return 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
      }
      const status =
        error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
      if (status === 404) return `there is no bucket ${bucket}`
      if (status === 401 || status === 403)
        return `the credentials may not use the bucket ${bucket}`
      if (status === undefined || status >= 500) return null
      return `the bucket ${bucket} cannot be used in the region ${signingRegion} (status ${status})`
    }
  }

  async #get(key: string, range?: ByteRange): Promise<GetObjectCommandOutput | null> {
    const Range = range === undefined ? undefined : `bytes=${range.first}-${range.last}`
    return unlessMissing(
      this.#client.send(new GetObjectCommand({ ...this.#object(key), ...(Range && { Range }) })),
    )
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#at.bucket, Key: this.#at.keyPrefix + key }
  }
}

function clientOf(
  { signingRegion, pathStyle }: S3Location,
  endpoint: string | undefined,
): S3Client {
  return new S3Client({
    region: signingRegion,
    forcePathStyle: pathStyle,
    maxAttempts: attempts,
    // What fails is thrown, and logged once by whoever catches it.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    ...(endpoint !== undefined && { endpoint }),
    requestHandler: {
      connectionTimeout: 5_000,
      // To the head of the answer: the largest upload over a slow line fits in.
      requestTimeout: 120_000,
      throwOnRequestTimeout: true,
      // Longer than a download may stand still, whose bytes wait in the socket meanwhile.
      socketTimeout: 90_000,
      httpAgent: { keepAlive: true, maxSockets: 256 },
      httpsAgent: { keepAlive: true, maxSockets: 256 },
    },
  })
}

function ignore(): void {
  // Nobody asked.
}

function streamOf({ Body: body }: GetObjectCommandOutput): Readable {
  if (body instanceof Readable) return body
  throw new Error('The SDK gave a body that is no stream of Node')
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null
    throw error
  }
}

/** Tries again what the SDK cannot repeat by itself, where the server or the line was at fault. */
async function again<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      const status =
        error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
      const isRefused = status !== undefined && status < 500 && status !== 429
      if (isRefused || attempt === attempts) throw error
      await setTimeout(Math.random() * 100 * 2 ** attempt)
    }
  }
}
