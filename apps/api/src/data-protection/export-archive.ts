import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import ZipStream from 'zip-stream'

/** A ZIP file that comes to be while it is read: only its directory is kept in memory. */
export interface ExportArchive {
  /** The file. Destroying it breaks the archive off, also where `add` waits. */
  readonly bytes: Readable
  /**
   * Writes one file into the archive, one at a time.
   *
   * @param path of the file within the archive
   * @param how.compress false for what hardly gets smaller
   * @throws what `content` throws, or ArchiveBrokenOff; the archive is broken off then
   */
  add(path: string, content: Content, how?: { compress?: boolean }): Promise<void>
  /** Adds the hashes of all files, and ends the archive. */
  finish(): Promise<void>
}

/** Whoever reads the archive has gone; why, he knows. */
export class ArchiveBrokenOff extends Error {}

type Content = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>

/** Holds the hash of every other file, in the form that `sha256sum --check` reads. */
export const sumsPath = 'SHA256SUMS'

/** @param date that the files in the archive carry */
export function openExportArchive(date: Date): ExportArchive {
  const zip = new PackedDirectoryZip({ zlib: { level: 6 } })
  const sums = new PackedBytes()
  let breakOff: (reason: Error) => void = () => undefined
  // The library does not tell who waits for an entry that its reader has gone.
  zip.once('error', (cause: Error) => breakOff(new ArchiveBrokenOff(cause.message, { cause })))
  zip.once('close', () => breakOff(new ArchiveBrokenOff('Nobody reads the archive any more')))

  const write = async (path: string, content: Content, compress: boolean) => {
    if (zip.destroyed) throw new ArchiveBrokenOff('Nobody reads the archive any more')
    const { promise: written, resolve, reject } = Promise.withResolvers<void>()
    breakOff = reject
    const source = Readable.from(content, { objectMode: false })
    source.once('error', reject)
    zip.entry(source, { name: path, date, store: !compress }, (error) =>
      error ? reject(error) : resolve(),
    )
    try {
      await written
    } catch (error) {
      source.destroy()
      zip.destroy()
      throw error
    }
  }

  return {
    bytes: zip,
    async add(path, content, { compress = true } = {}) {
      const hash = createHash('sha256')
      await write(path, hashed(content, hash), compress)
      // The asterisk: as binary, which is how Windows has to be told to read it.
      sums.add(Buffer.from(`${hash.digest('hex')} *${path}\n`))
    },
    async finish() {
      await write(sumsPath, sums.take(), true)
      zip.finalize()
    },
  }
}

async function* hashed(
  content: Content,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const part of content) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    hash.update(bytes)
    yield bytes
  }
}

/**
 * The library writes its directory in some seventeen pieces of a few bytes for each file and waits for none of them:
 * gigabytes of little objects for 200,000 files. Here they become few large pieces.
 */
class PackedDirectoryZip extends ZipStream {
  /** Where the library is in the file, in bytes. */
  declare protected offset: number
  #directory: PackedBytes | null = null

  override finish(): void {
    this.#directory = new PackedBytes()
    super.finish()
  }

  override write(chunk: Uint8Array | string): boolean {
    if (this.#directory === null) return super.write(chunk)
    this.offset += chunk.length
    this.#directory.add(Buffer.from(chunk))
    return true
  }

  override end(): this {
    const directory = this.#directory?.take() ?? []
    this.#directory = null
    for (const piece of directory) super.write(piece)
    return super.end()
  }
}

/** Many small pieces of bytes as few large ones. */
class PackedBytes {
  static readonly #pieceBytes = 64 * 1024
  readonly #full: Buffer[] = []
  #piece = Buffer.allocUnsafe(PackedBytes.#pieceBytes)
  #filled = 0

  add(bytes: Uint8Array): void {
    if (this.#filled + bytes.length > this.#piece.length) this.#begin(bytes.length)
    this.#piece.set(bytes, this.#filled)
    this.#filled += bytes.length
  }

  take(): Buffer[] {
    this.#begin(0)
    return this.#full
  }

  #begin(atLeastBytes: number): void {
    this.#full.push(this.#piece.subarray(0, this.#filled))
    this.#piece = Buffer.allocUnsafe(Math.max(PackedBytes.#pieceBytes, atLeastBytes))
    this.#filled = 0
  }
}
