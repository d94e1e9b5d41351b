/**
 * A WebAssembly module whose memory cannot grow beyond this. V8 bounds the heap of a thread and not the memory of the
 * modules in it; a module that names its own maximum is refused more by the engine itself, and its allocator
 * answers that there is none.
 *
 * @param wasm binary of a module that declares one memory with a maximum (WebAssembly core specification, 5.5.8)
 * @throws {Error} when it does not
 */
export function withMemoryMaximum(wasm: Uint8Array, maximumBytes: number): Uint8Array<ArrayBuffer> {
  const bounded = new Uint8Array(wasm)
  const cursor = { position: preambleBytes }
  while (cursor.position < bounded.length) {
    const section = bounded[cursor.position++]
    const end = readUnsigned(bounded, cursor) + cursor.position
    if (section === memorySection) {
      const memories = readUnsigned(bounded, cursor)
      const limits = bounded[cursor.position++]
      if (memories !== 1 || limits !== withMaximum) break
      readUnsigned(bounded, cursor)
      const start = cursor.position
      readUnsigned(bounded, cursor)
      writeUnsigned(bounded, start, cursor.position, Math.floor(maximumBytes / pageBytes))
      return bounded
    }
    cursor.position = end
  }
  throw new Error('the module declares no memory with a maximum')
}

/** Magic number and version. */
const preambleBytes = 8
const memorySection = 5
/** The kind of limits that have a minimum and a maximum and are not shared. */
const withMaximum = 1
const pageBytes = 64 * 1024

/** LEB128 (5.2.2). */
function readUnsigned(bytes: Uint8Array, cursor: { position: number }): number {
  let value = 0
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[cursor.position++] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  return value
}

/** In exactly the room that there is: trailing zero groups are allowed. */
function writeUnsigned(bytes: Uint8Array, start: number, end: number, value: number): void {
  let rest = value
  for (let at = start; at < end; at++) {
    bytes[at] = (rest & 0x7f) | (at < end - 1 ? 0x80 : 0)
    rest >>>= 7
  }
  if (rest !== 0) throw new Error('the maximum is larger than what the module declares')
}
