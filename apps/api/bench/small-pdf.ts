import { deflateSync } from 'node:zlib'

/** Pages of text as an ordinary producer writes them; each number gives another document. */
export function smallPdf(number: number, pageCount = 20): Uint8Array<ArrayBuffer> {
  const pages = Array.from({ length: pageCount }, (_, page) => page)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pageCount} /Kids [${pages.map((page) => `${4 + page * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ].map((text) => Buffer.from(text))
  for (const page of pages) {
    const lines = Array.from(
      { length: 40 },
      (_, line) => `(Document ${number}, page ${page}, line ${line}) Tj 0 -16 Td`,
    )
    const content = deflateSync(`BT /F1 11 Tf 56 760 Td ${lines.join('\n')} ET`)
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + page * 2} 0 R ` +
          '/Resources << /Font << /F1 3 0 R >> >> >>',
      ),
      Buffer.concat([
        Buffer.from(`<< /Filter /FlateDecode /Length ${content.length} >>\nstream\n`),
        content,
        Buffer.from('\nendstream'),
      ]),
    )
  }
  return written(objects)
}

function written(objects: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      object,
      Buffer.from('\nendobj\n'),
    ])
    parts.push(part)
    length += part.length
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}` +
        `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return new Uint8Array(Buffer.concat(parts))
}
