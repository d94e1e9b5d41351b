/** Larger than any event. */
const largestBodyBytes = 1024 * 1024

/** The whole of a request's body; null when it is larger than any event: then the rest is not read. */
export async function limitedBody(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Uint8Array | null> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > largestBodyBytes) return null
    parts.push(chunk as Uint8Array<ArrayBuffer>)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
