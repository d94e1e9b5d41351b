import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Region, regions } from '@pdfnorm/contracts/schema/region'
import { Disk } from 'flydrive'
import { type ByteRange, FileDriver, isErrorCode, removeIfThere } from './file-driver.ts'

/** Where originals and artifacts lie: one disk per region, objects under keys. */
export interface ObjectStore {
  /** Opens a local file for bytes whose region and key are not known yet. */
  stage(): Promise<StagedObject>
  /** Makes a staged, finished file the object `key`. An object of that key is replaced as a whole. */
  adopt(staged: StagedObject, region: Region, key: string): Promise<void>
  put(region: Region, key: string, bytes: Uint8Array): Promise<void>
  /** null when there is no such object. */
  read(region: Region, key: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** null when there is no such object; the range must lie inside of the object. */
  openStream(region: Region, key: string, range?: ByteRange): Promise<Readable | null>
  /** In bytes; null when there is no such object. */
  sizeOf(region: Region, key: string): Promise<number | null>
  delete(region: Region, key: string): Promise<void>
  /** Keys below a prefix, in no order. */
  list(region: Region, prefix?: string): Promise<string[]>
  /** Removes what uploads left that a crash interrupted. */
  sweep(olderThan: Date): Promise<void>
  /** @throws when the storage cannot be used now */
  check(): Promise<void>
}

/** Bytes on their way into the storage. */
export interface StagedObject {
  readonly path: string
  write(chunk: Uint8Array): Promise<void>
  /** Puts all bytes on the disk and closes the file. */
  finish(): Promise<void>
  /** Removes the file, at whatever point it is; harmless after it was adopted. */
  discard(): Promise<void>
}

/**
 * The store that STORAGE_URL names.
 *
 * @param storageUrl `file:` URL of a directory; absent: `objects` in the data directory
 * @throws when the URL's kind of storage is not supported
 */
export async function createObjectStore(settings: {
  storageUrl: string | undefined
  dataDirectory: string
}): Promise<ObjectStore> {
  const root = storageRoot(settings.storageUrl, settings.dataDirectory)
  const stagingDirectory = join(root, '.incoming')
  await mkdir(stagingDirectory, { recursive: true })
  await Promise.all(regions.map((region) => mkdir(join(root, region), { recursive: true })))

  return new FileObjectStore(root, stagingDirectory)
}

/** Originals belong to one organization; `schemaName` is its storage prefix (decision 3.12). */
export function originalKey(schemaName: string, submissionId: string): string {
  return `${schemaName}/originals/${submissionId}.pdf`
}

/** Artifacts belong to their content: organizations with the same output share one object. */
export function artifactKey(sha256: string): string {
  return `artifacts/${sha256.slice(0, 2)}/${sha256}.pdf`
}

function storageRoot(storageUrl: string | undefined, dataDirectory: string): string {
  if (storageUrl === undefined) return join(dataDirectory, 'objects')
  const url = new URL(storageUrl)
  if (url.protocol === 'file:') return fileURLToPath(url)
  throw new Error(`STORAGE_URL: storage of the kind ${url.protocol} is not supported yet`)
}

class FileObjectStore implements ObjectStore {
  readonly #root: string
  readonly #stagingDirectory: string
  readonly #drivers: ReadonlyMap<Region, FileDriver>
  readonly #disks: ReadonlyMap<Region, Disk>

  constructor(root: string, stagingDirectory: string) {
    this.#root = root
    this.#stagingDirectory = stagingDirectory
    this.#drivers = new Map(
      regions.map((region) => [region, new FileDriver(join(root, region), stagingDirectory)]),
    )
    this.#disks = new Map([...this.#drivers].map(([region, driver]) => [region, new Disk(driver)]))
  }

  stage(): Promise<StagedObject> {
    return stageFile(join(this.#stagingDirectory, randomUUID()))
  }

  adopt(staged: StagedObject, region: Region, key: string): Promise<void> {
    return of(this.#drivers, region).adopt(staged.path, key)
  }

  put(region: Region, key: string, bytes: Uint8Array): Promise<void> {
    return of(this.#disks, region).put(key, bytes)
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

  async sweep(olderThan: Date): Promise<void> {
    for (const name of await readdir(this.#stagingDirectory)) {
      const path = join(this.#stagingDirectory, name)
      const facts = await stat(path).catch(() => null)
      if (facts !== null && facts.mtime < olderThan) await removeIfThere(path)
    }
  }

  async check(): Promise<void> {
    for (const region of regions) await access(join(this.#root, region), constants.W_OK)
  }
}

async function stageFile(path: string): Promise<StagedObject> {
  const file = await open(path, 'wx', 0o600)
  let closed: Promise<void> | null = null
  const close = () => (closed ??= file.close())

  return {
    path,
    async write(chunk) {
      await file.writeFile(chunk)
    },
    async finish() {
      await file.sync()
      await close()
    },
    async discard() {
      await close()
      await removeIfThere(path)
    },
  }
}

function of<T>(byRegion: ReadonlyMap<Region, T>, region: Region): T {
  const found = byRegion.get(region)
  if (found === undefined) throw new Error(`No storage for the region ${region}`)
  return found
}
