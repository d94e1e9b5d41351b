import { readSync, writeSync } from 'node:fs'

/**
 * What goes between the pool and a worker process, in both directions: a head, as JSON, and bytes, as they are. On the
 * wire the lengths of both come first, as two 32-bit numbers.
 */
export interface Message {
  readonly head: unknown
  readonly body: Uint8Array<ArrayBuffer>
}

const lengthsBytes = 8

/** Head with lengths; the body is sent after it as it is, so that no copy of a document is made. */
export function encodeHead(head: unknown, bodyBytes: number): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(lengthsBytes)
  lengths.writeUInt32LE(text.length, 0)
  lengths.writeUInt32LE(bodyBytes, 4)
  return Buffer.concat([lengths, text])
}

/** Returns when the other side has taken it. */
export function writeMessageSync(file: number, head: unknown, body: Uint8Array): void {
  writeAll(file, encodeHead(head, body.byteLength))
  writeAll(file, body)
}

/** Waits for the next one; null when the other side is gone. */
export function readMessageSync(file: number): Message | null {
  const lengths = readExactly(file, lengthsBytes)
  const head = lengths && readExactly(file, lengths.readUInt32LE(0))
  const body = lengths && readExactly(file, lengths.readUInt32LE(4))
  return head && body && { head: JSON.parse(head.toString()), body: bytesOf(body) }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}

function readExactly(file: number, length: number): Buffer<ArrayBuffer> | null {
  const bytes = Buffer.allocUnsafeSlow(length)
  for (let at = 0; at < length;) {
    const read = readSync(file, bytes, at, length - at, null)
    if (read === 0) return null
    at += read
  }
  return bytes
}

/** Puts messages together from the pieces in which they arrive; each piece is copied once, to its place. */
export class MessageAssembly {
  readonly #onMessage: (message: Message) => void
  #lengths = Buffer.alloc(lengthsBytes)
  #head: Buffer | null = null
  #body: Buffer<ArrayBuffer> = Buffer.alloc(0)
  /** Bytes of the message that are here. */
  #filled = 0

  constructor(onMessage: (message: Message) => void) {
    this.#onMessage = onMessage
  }

  add(piece: Buffer): void {
    let rest = piece
    while (rest.length > 0) rest = rest.subarray(this.#take(rest))
  }

  /** @returns how many bytes of the piece it took */
  #take(piece: Buffer): number {
    if (!this.#head) {
      const taken = piece.copy(this.#lengths, this.#filled)
      this.#filled += taken
      if (this.#filled < lengthsBytes) return taken
      this.#head = Buffer.allocUnsafeSlow(this.#lengths.readUInt32LE(0))
      this.#body = Buffer.allocUnsafeSlow(this.#lengths.readUInt32LE(4))
      this.#filled = 0
      return taken
    }
    const ofHead = this.#filled < this.#head.length
    const taken = ofHead
      ? piece.copy(this.#head, this.#filled)
      : piece.copy(this.#body, this.#filled - this.#head.length)
    this.#filled += taken
    if (this.#filled === this.#head.length + this.#body.length) this.#complete(this.#head)
    return taken
  }

  #complete(head: Buffer): void {
    const body = this.#body
    this.#head = null
    this.#body = Buffer.alloc(0)
    this.#filled = 0
    this.#onMessage({ head: JSON.parse(head.toString()), body: bytesOf(body) })
  }
}

function bytesOf(buffer: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}
