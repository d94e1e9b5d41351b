/** How much of an answer is kept, in bytes: enough for a person to see what the receiver said. */
const excerptBytes = 1024

/**
 * The beginning of an answer, as text that a database and a log can hold. It ends with what has arrived when the body
 * breaks off: the status was answered before.
 */
export async function bodyExcerpt(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, excerptBytes - length))
      length += chunk.length
      if (length >= excerptBytes) break
    }
  } catch {
    // The receiver closed the connection, or was too slow.
  }
  return readable(Buffer.concat(chunks))
}

/** UTF-8 without a character that was cut in two, and without control characters other than tab and line ends. */
function readable(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes, { stream: true })
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd')
}
