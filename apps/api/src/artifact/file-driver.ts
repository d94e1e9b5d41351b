import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { FSDriver } from 'flydrive/drivers/fs'

/** Bytes `first` to `last` of an object, both included, as in RFC 9110, 14.1.2. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * The library's file driver with whole writes: a reader sees the former object or the new one, also after a crash.
 * The library's own driver writes in place and moves by copying.
 */
export class FileDriver extends FSDriver {
  readonly #root: string
  readonly #partialDirectory: string

  /** @param partialDirectory where unfinished writes lie; on the file system of `root` for a rename to suffice */
  constructor(root: string, partialDirectory: string) {
    super({ location: root, visibility: 'private' })
    this.#root = root
    this.#partialDirectory = partialDirectory
  }

  override async put(key: string, contents: string | Uint8Array): Promise<void> {
    await this.#writeWhole(key, (partial) => writeDurably(partial, [toBytes(contents)]))
  }

  override async putStream(key: string, contents: Readable): Promise<void> {
    await this.#writeWhole(key, (partial) => writeDurably(partial, contents))
  }

  /** Makes a finished local file the object `key`; the file is gone afterwards. */
  async adopt(path: string, key: string): Promise<void> {
    const target = join(this.#root, key)
    await mkdir(dirname(target), { recursive: true })
    try {
      await rename(path, target)
    } catch (error) {
      if (!isErrorCode(error, 'EXDEV')) throw error
      await this.#writeWhole(key, (partial) => copyFile(path, partial))
      await unlink(path)
    }
    await syncDirectory(dirname(target))
  }

  readRange(key: string, range: ByteRange): Readable {
    return createReadStream(join(this.#root, key), { start: range.first, end: range.last })
  }

  async #writeWhole(key: string, write: (partial: string) => Promise<void>): Promise<void> {
    const target = join(this.#root, key)
    const partial = join(this.#partialDirectory, randomUUID())
    await mkdir(this.#partialDirectory, { recursive: true })
    try {
      await write(partial)
      await mkdir(dirname(target), { recursive: true })
      await rename(partial, target)
    } catch (error) {
      await removeIfThere(partial)
      throw error
    }
    await syncDirectory(dirname(target))
  }
}

export async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!isErrorCode(error, 'ENOENT')) throw error
  }
}

export function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function writeDurably(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) await file.writeFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A rename survives a power cut once the directory is on the disk too. */
async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directories; its file systems journal the rename themselves.
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

function toBytes(contents: string | Uint8Array): Uint8Array {
  return typeof contents === 'string' ? new TextEncoder().encode(contents) : contents
}
