/** What stands in a PDF that a test makes. */
export interface PdfContents {
  /** Shown on the one page, in a standard font. */
  text: string
  /** Further entries of the catalog, as they stand in the file. */
  catalog?: string
  /** Further indirect objects, numbered from 6 on, as they stand in the file. */
  objects?: readonly string[]
  /** Bytes that an uncompressed comment adds. */
  paddingBytes?: number
  version?: string
}

/** A whole PDF of one page with a cross-reference table (ISO 32000-2, 7.5). */
export function pdf(contents: PdfContents): Buffer<ArrayBuffer> {
  const { text, catalog = '', objects = [], paddingBytes = 0, version = '1.7' } = contents
  const stream = `BT /F1 18 Tf 72 720 Td (${text}) Tj ET`
  const bodies = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...objects,
  ]

  let file = `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`
  if (paddingBytes > 0) file += `%${'x'.repeat(paddingBytes)}\n`
  const offsets = bodies.map((body, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return offset
  })
  const startxref = file.length
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const size = bodies.length + 1
  file +=
    `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}` +
    `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${startxref}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** A document that opens a JavaScript action; the pipeline takes it out. */
export function pdfWithJavascript(text: string): Buffer<ArrayBuffer> {
  return pdf({ text, catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' })
}

/** A document that says it is encrypted. */
export function encryptedPdf(text: string): Buffer<ArrayBuffer> {
  const id = '00112233445566778899aabbccddeeff'
  const encrypt = `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`
  const file = pdf({ text, objects: [encrypt] }).toString('latin1')
  return Buffer.from(
    file.replace('/Root 1 0 R', `/Root 1 0 R /Encrypt 6 0 R /ID [<${id}> <${id}>]`),
    'latin1',
  )
}
