/** A document for whoever has none at hand: one page, and a script that runs when it is opened. */
export function sampleDocument(): File {
  const lines = ['A document to try out', 'It holds a script, which will be taken out.']
  const text = lines
    .map(
      (line, index) =>
        `BT /F1 ${index === 0 ? 24 : 12} Tf 72 ${720 - 36 * index} Td (${line}) Tj ET`,
    )
    .join('\n')
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]

  let file = '%PDF-1.7\n'
  const offsets = bodies.map((body, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const startxref = file.length
  file += `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R >>\nstartxref\n${startxref}\n%%EOF\n`
  return new File([file], 'sample.pdf', { type: 'application/pdf' })
}
