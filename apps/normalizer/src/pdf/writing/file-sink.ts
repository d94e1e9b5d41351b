import { createHash } from 'node:crypto'
import { digitsOf, GrowingBytes } from './growing-bytes.ts'
import type { SpelledObjects } from './spelled-objects.ts'

/** The parts of the file in order. Nothing is copied until its length is known: then once, to its place. */
export class FileSink {
  #length = 0
  readonly #objects: SpelledObjects
  readonly #numbers: Int32Array
  /** A number is the index of an object of the document, of which there are many. */
  readonly #parts: (string | Uint8Array | number)[] = []
  readonly #identifiers: number[] = []

  /** @param numbers of the objects, by index */
  constructor(objects: SpelledObjects, numbers: Int32Array) {
    this.#objects = objects
    this.#numbers = numbers
  }

  /** The offset of what is written next. */
  get length(): number {
    return this.#length
  }

  /** Text is Latin-1, one character a byte. */
  write(part: string | Uint8Array): void {
    this.#parts.push(part)
    this.#length += part.length
  }

  /** `N 0 obj … endobj` of an object of the document, with its data if it is a stream. */
  writeObject(index: number): void {
    this.#parts.push(index)
    const textLength = this.#objects.lengthOf(index, this.#numbers)
    const data = this.#objects.data[index] ?? null
    this.#length += lengthOfIndirect(this.#numbers[index] ?? 0, textLength, data)
  }

  /** `N 0 obj … endobj` of a stream that only the file needs. */
  writeStream(number: number, { text, data }: StreamContent): void {
    this.write(`${number}${objectStart}`)
    this.write(text)
    this.write(streamStart)
    this.write(data)
    this.write(streamEnd)
    this.write(objectEnd)
  }

  /** Writes text that holds {@link openIdentifier} once. */
  writeWithIdentifier(text: string): void {
    this.#identifiers.push(this.#length + text.indexOf(openIdentifier))
    this.write(text)
  }

  /**
   * The file with its identifiers filled in: both are the first 16 bytes of SHA-256 over the file with their digits
   * zeroed, so that they depend on nothing but the file.
   */
  finish(): Uint8Array {
    const file = new GrowingBytes(this.#length)
    for (const part of this.#parts) {
      if (typeof part === 'number') this.#writeOut(part, file)
      else if (typeof part === 'string') file.latin1(part)
      else file.copy(part)
    }

    const bytes = file.written
    const digits = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    const identifier = Buffer.from(`/ID[<${digits}><${digits}>]`, 'latin1')
    for (const at of this.#identifiers) bytes.set(identifier, at)
    return bytes
  }

  #writeOut(index: number, file: GrowingBytes): void {
    const data = this.#objects.data[index] ?? null
    file.decimal(this.#numbers[index] ?? 0)
    file.latin1(objectStart)
    this.#objects.write(index, this.#numbers, file)
    if (data !== null) {
      file.latin1(streamStart)
      file.copy(data)
      file.latin1(streamEnd)
    }
    file.latin1(objectEnd)
  }
}

/** The text of a stream's dictionary, and its encoded data. */
export interface StreamContent {
  readonly text: string
  readonly data: Uint8Array
}

/** How much {@link FileSink.writeObject} or {@link FileSink.writeStream} writes; bytes. */
export function lengthOfIndirect(
  number: number,
  textLength: number,
  data: Uint8Array | null,
): number {
  const start = digitsOf(number) + objectStart.length
  const end = objectEnd.length
  if (data === null) return start + textLength + end
  return start + textLength + streamStart.length + data.length + streamEnd.length + end
}

/** Spaced as PDF/A wants it (ISO 19005-1, 6.1.7 and 6.1.8). */
const objectStart = ' 0 obj\n'
const streamStart = '\nstream\n'
const streamEnd = '\nendstream'
const objectEnd = '\nendobj\n'

const zeros = '0'.repeat(32)
/** The `/ID` entry as it stands until the file is finished. */
export const openIdentifier = `/ID[<${zeros}><${zeros}>]`

/** `%PDF-1.7`, and the line that tells transports of binary data (7.5.2; ISO 19005-1, 6.1.2: four bytes above 127). */
export function fileHeader(version: string): string {
  return `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`
}

/** `startxref` to the end (7.5.5). */
export function fileTail(crossReferenceOffset: number): string {
  return `startxref\n${crossReferenceOffset}\n%%EOF\n`
}
