import { createHash } from 'node:crypto'

/** Collects the file in order; text is Latin-1, one character a byte. */
export class FileSink {
  #length = 0
  readonly #parts: (string | Uint8Array)[] = []
  readonly #identifiers: number[] = []

  /** The offset of what is written next. */
  get length(): number {
    return this.#length
  }

  write(part: string | Uint8Array): void {
    this.#parts.push(part)
    this.#length += part.length
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
    const file = Buffer.alloc(this.#length)
    let offset = 0
    for (const part of this.#parts) {
      if (typeof part === 'string') file.write(part, offset, 'latin1')
      else file.set(part, offset)
      offset += part.length
    }

    const digits = createHash('sha256').update(file).digest('hex').slice(0, 32)
    const identifier = `/ID[<${digits}><${digits}>]`
    for (const at of this.#identifiers) file.write(identifier, at, 'latin1')
    return new Uint8Array(file.buffer, file.byteOffset, file.byteLength)
  }
}

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

/** The parts of `N 0 obj … endobj`, spaced as PDF/A wants it (ISO 19005-1, 6.1.7 and 6.1.8). */
export function indirectObject(
  number: number,
  text: string,
  data: Uint8Array | null,
): (string | Uint8Array)[] {
  if (data === null) return [`${number} 0 obj\n${text}\nendobj\n`]
  return [`${number} 0 obj\n${text}\nstream\n`, data, '\nendstream\nendobj\n']
}
