import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Region, regions } from '@pdfnorm/contracts/schema/region'
import { Disk } from 'flydrive'
import { attachment } from './content-disposition.ts'
import { type ByteRange, FileDriver, isErrorCode } from './file-driver.ts'
import type { ObjectStore, PresignedDownloadOptions, StagedObject } from './object-store.ts'
import { openStagingArea, type StagingArea } from './staging-area.ts'

/** Makes a URL of the service's own for a download from it. */
export type PresignLocally = (
  download: { region: Region; key: string } & PresignedDownloadOptions,
) => string

/** Objects as files: `<root>/<region>/<key>`, written whole by way of `<root>/.incoming`. */
export async function openFileObjectStore(
  root: string,
  presign: PresignLocally,
): Promise<ObjectStore> {
  const staging = await openStagingArea(join(root, '.incoming'))
  await Promise.all(regions.map((region) => mkdir(join(root, region), { recursive: true })))
  return new FileObjectStore(root, staging, presign)
}

class FileObjectStore implements ObjectStore {
  readonly #root: string
  readonly #staging: StagingArea
  readonly #drivers: ReadonlyMap<Region, FileDriver>
  readonly #disks: ReadonlyMap<Region, Disk>
  readonly #presign: PresignLocally

  constructor(root: string, staging: StagingArea, presign: PresignLocally) {
    this.#root = root
    this.#presign = presign
    this.#staging = staging
    this.#drivers = new Map(
      regions.map((region) => [region, new FileDriver(join(root, region), staging.directory)]),
    )
    this.#disks = new Map([...this.#drivers].map(([region, driver]) => [region, new Disk(driver)]))
  }

  stage(): Promise<StagedObject> {
    return this.#staging.stage()
  }

  adopt(staged: StagedObject, region: Region, key: string): Promise<void> {
    return of(this.#drivers, region).adopt(staged.path, key)
  }

  put(region: Region, key: string, bytes: Uint8Array): Promise<void> {
    return of(this.#disks, region).put(key, bytes)
  }

  putStream(region: Region, key: string, bytes: Readable): Promise<void> {
    return of(this.#disks, region).putStream(key, bytes)
  }

  async presign(region: Region, key: string, options: PresignedDownloadOptions): Promise<string> {
    // Refused here as it is by the other kind of storage, and not when somebody downloads.
    attachment(options.fileName)
    return this.#presign({ region, key, ...options })
  }

  async read(region: Region, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const sizeBytes = await this.sizeOf(region, key)
    const stream = await this.openStream(region, key)
    if (sizeBytes === null || stream === null) return null
    // One buffer of its own, so that it can be handed to another thread without a copy.
    const bytes = new Uint8Array(sizeBytes)
    let filled = 0
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      bytes.set(chunk, filled)
      filled += chunk.length
    }
    return bytes
  }

  async openStream(region: Region, key: string, range?: ByteRange): Promise<Readable | null> {
    const size = await this.sizeOf(region, key)
    if (size === null) return null
    if (range !== undefined) return of(this.#drivers, region).readRange(key, range)
    return of(this.#disks, region).getStream(key)
  }

  async sizeOf(region: Region, key: string): Promise<number | null> {
    try {
      return (await of(this.#disks, region).getMetaData(key)).contentLength
    } catch (error) {
      if (error instanceof Error && isErrorCode(error.cause, 'ENOENT')) return null
      throw error
    }
  }

  delete(region: Region, key: string): Promise<void> {
    return of(this.#disks, region).delete(key)
  }

  async list(region: Region, prefix?: string): Promise<string[]> {
    const { objects } = await of(this.#disks, region).listAll(prefix, { recursive: true })
    return [...objects].flatMap((object) => (object.isFile ? [object.key] : []))
  }

  sweep(olderThan: Date): Promise<void> {
    return this.#staging.sweep(olderThan)
  }

  async check(): Promise<void> {
    for (const region of regions) await access(join(this.#root, region), constants.W_OK)
  }
}

function of<T>(byRegion: ReadonlyMap<Region, T>, region: Region): T {
  const found = byRegion.get(region)
  if (found === undefined) throw new Error(`No storage for the region ${region}`)
  return found
}
