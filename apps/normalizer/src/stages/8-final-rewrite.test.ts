import { describe, expect, test } from 'vitest'
import { dictionary, type MemoryGraph, name, stream, text } from '../../test/memory-graph.ts'
import { pageDocument, type PageDocument } from '../../test/page-document.ts'
import { emptyFindings } from '../findings.ts'
import { defaultOptions, type NormalizeOptions } from '../options.ts'
import { readPdf } from '../pdf/reading/read-pdf.ts'
import { type WriteOptions, writePdf } from '../pdf/writing/writer.ts'
import { type DocumentInProgress, PipelineStop } from '../stage.ts'
import { finalRewrite } from './8-final-rewrite.ts'

test('the output is the linearized canonical form of the document', async () => {
  const document = inProgress(pageDocument(3))
  expect(await finalRewrite.run(document)).toBe('success')
  expect(document.output).toMatchObject({ pdfVersion: '1.5', linearized: true })
  const file = readPdf(document.output?.bytes ?? new Uint8Array())
  expect(file.linearization?.intact).toBe(true)
  expect(file.header.version).toBe('1.5')
  expect(document.findings.warnings).toEqual([])
})

test('linearization is left out when it is not asked for', async () => {
  const document = inProgress(pageDocument(3), { linearize: false })
  expect(await finalRewrite.run(document)).toBe('success')
  expect(document.output?.linearized).toBe(false)
  expect(readPdf(document.output?.bytes ?? new Uint8Array()).linearization).toBeNull()
})

test('a document that cannot be linearized is written without, and the warning says so', async () => {
  const document = inProgress(pageDocument(0))
  expect(await finalRewrite.run(document)).toBe('success')
  expect(document.output?.linearized).toBe(false)
  expect(document.findings.warnings).toEqual([
    {
      code: 'LINEARIZATION_SKIPPED',
      message: 'The output is not linearized: the document has no pages.',
    },
  ])
})

test('a signed document that is to be preserved keeps every byte', async () => {
  const document = inProgress(pageDocument(1), { signedPdfPolicy: 'preserve' }, '1.4')
  document.findings.security.signatureCount = 1
  expect(await finalRewrite.run(document)).toBe('preserved')
  expect(document.output).toMatchObject({ pdfVersion: '1.4', linearized: false })
  expect(document.output?.bytes).toBe(document.file.bytes)
})

test('the policy to preserve changes nothing for a document without signatures', async () => {
  const document = inProgress(pageDocument(1), { signedPdfPolicy: 'preserve' })
  expect(await finalRewrite.run(document)).toBe('success')
})

describe('The version is that of the latest feature in use', () => {
  test.each<[string, string, (document: PageDocument) => void]>([
    ['nothing special', '1.5', () => {}],
    ['a larger user unit', '1.6', ({ pages }) => pages[0]?.set('UserUnit', 10)],
    [
      'an OpenType font program',
      '1.6',
      ({ graph, pages }) => {
        const program = graph.add(stream({ Subtype: name('OpenType') }, 'OTTO'))
        pages[0]?.set('Resources', dictionary({ FontFile3: program }))
      },
    ],
    [
      'two-sided printing',
      '1.7',
      ({ catalog }) => catalog.set('ViewerPreferences', dictionary({ Duplex: name('Simplex') })),
    ],
    [
      'structure namespaces',
      '2.0',
      ({ catalog }) => catalog.set('StructTreeRoot', dictionary({ Namespaces: [dictionary({})] })),
    ],
    [
      'a feature that nothing refers to',
      '1.5',
      ({ graph }) => void graph.add(dictionary({ Namespaces: [] })),
    ],
    [
      'a resource of that name',
      '1.5',
      ({ pages, graph }) => {
        const resources = dictionary({ UserUnit: graph.add(dictionary({})) })
        pages[0]?.set('Resources', dictionary({ XObject: resources }))
      },
    ],
  ])('%s: %s', async (_, version, edit) => {
    const document = inProgress(pageDocument(1, edit))
    await finalRewrite.run(document)
    expect(document.output?.pdfVersion).toBe(version)
    const { header } = readPdf(document.output?.bytes ?? new Uint8Array())
    expect(header.version).toBe(version)
  })

  test.each([
    ['1', '1.4'],
    ['2', '1.7'],
    ['3', '1.7'],
    ['4', '2.0'],
  ])('what claims PDF/A-%s stays within its part: %s', async (part, version) => {
    const document = inProgress(
      pageDocument(1, ({ graph, catalog }) => {
        catalog.set('Metadata', graph.add(stream({ Type: name('Metadata') }, claim(part))))
        catalog.set('StructTreeRoot', dictionary({ Namespaces: [dictionary({})] }))
      }),
    )
    await finalRewrite.run(document)
    expect(document.output?.pdfVersion).toBe(version)
    const bytes = Buffer.from(document.output?.bytes ?? []).toString('latin1')
    expect(bytes.includes('/Type/ObjStm')).toBe(part !== '1')
    expect(/\nxref\n/.test(bytes)).toBe(part === '1')
  })
})

test('an output that still holds active content is never handed out', async () => {
  const document = inProgress(
    pageDocument(1, ({ catalog }) => {
      const action = dictionary({ S: name('JavaScript'), JS: text('app.alert(1)') })
      catalog.set('OpenAction', action)
    }),
  )
  await expect(finalRewrite.run(document)).rejects.toThrow(PipelineStop)
  await expect(finalRewrite.run(document)).rejects.toThrow(/still holds .*\/?J/)
  expect(document.output).toBeNull()
})

function inProgress(
  graph: MemoryGraph,
  options: Partial<NormalizeOptions> = {},
  version: WriteOptions['version'] = '1.7',
): DocumentInProgress {
  const input = writePdf(graph, { linearize: false, objectStreams: false, version })
  return {
    options: { ...defaultOptions, ...options },
    file: readPdf(input),
    findings: emptyFindings(),
    output: null,
    contentHash: null,
    now: new Date(0),
  }
}

function claim(part: string): string {
  return `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>${part}</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`
}
