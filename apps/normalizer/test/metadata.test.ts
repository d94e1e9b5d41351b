import { describe, expect, test } from 'vitest'
import { catalogXmp, documentCatalog } from '../src/pdf/catalog.ts'
import { PdfDictionary, PdfStream, PdfString } from '../src/pdf/object.ts'
import { decodeTextString } from '../src/pdf/text-string.ts'
import { writePdf } from '../src/pdf/writing/writer.ts'
import { findXmpProperty, xmpNamespaces, xmpText } from '../src/pdf/metadata/xmp.ts'
import { PRODUCER } from '../src/pipeline-spec.ts'
import { pdfaDetection } from '../src/stages/0-pdfa-detection.ts'
import { metadataCanonical } from '../src/stages/6-metadata-canonical.ts'
import type { DocumentInProgress } from '../src/stage.ts'
import type { NormalizeOptions } from '../src/options.ts'
import { classicPdf, streamBody } from './fixture/classic-pdf.ts'
import { openedDocument } from './fixture/document.ts'

describe('what a document claims to be', () => {
  test.each([
    [
      'elements',
      '<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>',
      'pdfa_2b',
    ],
    [
      'spaces around the values',
      '<pdfaid:part> 1 </pdfaid:part><pdfaid:conformance>a</pdfaid:conformance>',
      'pdfa_1a',
    ],
    [
      'part 4 without conformance',
      '<pdfaid:part>4</pdfaid:part><pdfaid:rev>2020</pdfaid:rev>',
      'pdfa_4',
    ],
    [
      'a conformance that its part does not have',
      '<pdfaid:part>4</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>',
      'pdfa_4',
    ],
  ])('is read from XMP written with %s', async (_, properties, result) => {
    const document = openedDocument(withXmp(properties))
    expect(await pdfaDetection.run(document)).toBe(result)
    expect(document.findings.validation).toMatchObject({
      pdfaDeclared: true,
      pdfaLevel: result.slice(5),
      pdfaCompliant: false,
      pdfaPreserved: false,
      pdfaValidatorValidated: null,
      pdfaValidatorErrors: [],
    })
  })

  test('is read from attributes and in any Unicode encoding', async () => {
    const packet = xmpPacket('', 'pdfaid:part="3" pdfaid:conformance="U"')
    const utf16 = Buffer.from(`\ufeff${packet}`, 'utf16le')
    const utf32 = Buffer.from(
      Array.from(packet).flatMap((one) => [0, 0, 0, one.codePointAt(0) ?? 0]),
    )
    for (const bytes of [Buffer.from(packet), utf16, Buffer.from(utf16).swap16(), utf32]) {
      const document = openedDocument(withMetadata(bytes.toString('latin1')))
      expect(await pdfaDetection.run(document)).toBe('pdfa_3u')
    }
  })

  test('is read past bytes that are no UTF-8 and past control characters, as other validators do', async () => {
    for (const text of ['caf\xe9', 'a\u0001b', 'a&#1;b']) {
      const packet = xmpPacket(`<dc:source>${text}</dc:source><pdfaid:part>2</pdfaid:part>`)
      expect(await pdfaDetection.run(openedDocument(withMetadata(packet)))).toBe('pdfa_2')
    }
  })

  test('is the later version of header and catalog where there is no claim', async () => {
    const [none, other] = ['', '<pdfaid:part>5</pdfaid:part>']
    expect(await pdfaDetection.run(openedDocument(withXmp(none)))).toBe('pdf_1_7')
    expect(await pdfaDetection.run(openedDocument(withXmp(other)))).toBe('pdf_1_7')
    const later = classicPdf([[1, '<< /Type /Catalog /Pages 2 0 R /Version /2.0 >>'], ...page()])
    expect(await pdfaDetection.run(openedDocument(later))).toBe('pdf_2_0')
  })

  test('is nothing when the XMP is not well-formed or would expand', async () => {
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' +
      xmpPacket('<pdfaid:part>2</pdfaid:part>')
    const deep = '<a>'.repeat(100_000)
    for (const text of [
      bomb,
      deep,
      xmpPacket('<pdfaid:part>2</pdfaid:conformance>'),
      '<x:y/>',
      xmpPacket('<pdfaid:part>2</pdfaid:part>&constructor;'),
    ]) {
      expect(await pdfaDetection.run(openedDocument(withMetadata(text)))).toBe('pdf_1_7')
    }
  })
})

describe('Info and XMP of the output', () => {
  test('agree, and take each fact from XMP before Info', async () => {
    const document = await canonical(
      withXmp(
        '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">From  XMP&#x86;</rdf:li></rdf:Alt></dc:title>',
        {
          info: '/Title (From Info) /Author (Ann) /Subject (About) /Keywords (one, two)',
        },
      ),
    )
    expect(infoOf(document)).toEqual({
      Title: 'From  XMP',
      Author: 'Ann',
      Subject: 'About',
      Keywords: 'one, two',
      Producer: PRODUCER,
    })
    expect(xmpOf(document, 'dc', 'title')).toBe('From  XMP')
    expect(xmpOf(document, 'dc', 'creator')).toBe('Ann')
    expect(xmpOf(document, 'dc', 'description')).toBe('About')
    expect(xmpOf(document, 'pdf', 'Keywords')).toBe('one, two')
    expect(xmpOf(document, 'pdf', 'Producer')).toBe(PRODUCER)
  })

  test('keep text in any script, in composed form', async () => {
    const utf16 = Buffer.from('\ufeffCafe\u0301 \u65e5\u672c', 'utf16le').swap16().toString('hex')
    const document = await canonical(withXmp('', { info: `/Title <${utf16}>` }))
    expect(infoOf(document)).toMatchObject({ Title: 'Caf\u00e9 \u65e5\u672c' })
    expect(xmpOf(document, 'dc', 'title')).toBe('Caf\u00e9 \u65e5\u672c')
  })

  test('read what is no UTF-8 as Windows-1252', async () => {
    const mixed = '\xf0\x9f\x98\x80 \xc3\xa9\xe9 \x80 \xed\xa0\x80 \xe0\x80'
    const packet = xmpPacket(`<dc:title>${mixed}</dc:title>`)
    const document = await canonical(withMetadata(packet))
    expect(infoOf(document)['Title']).toBe('😀 éé € í\u00a0€ à€')
  })

  test('come from Info when the XMP is not well-formed', async () => {
    const document = await canonical(withMetadata('<broken', { info: '/Title (Still here)' }))
    expect(infoOf(document)).toMatchObject({ Title: 'Still here' })
  })

  test('say nothing of when, where, with what and through which versions it was made', async () => {
    const leaks =
      '<xmp:CreateDate>2020-CANARY</xmp:CreateDate><xmp:CreatorTool>CANARY</xmp:CreatorTool>' +
      '<xmpMM:DocumentID>CANARY</xmpMM:DocumentID><photoshop:City>CANARY</photoshop:City>'
    const bytes = classicPdf(
      [
        [1, '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R /PieceInfo << /X (CANARY) >> >>'],
        [2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'],
        [
          3,
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /LastModified (CANARY) /PieceInfo 6 0 R ' +
            '/Thumb 7 0 R /Metadata 7 0 R /Annots [8 0 R] /Resources << /XObject << /Metadata 9 0 R >> >> >>',
        ],
        [4, streamBody('/Type /Metadata /Subtype /XML', xmpPacket(leaks))],
        [
          5,
          '<< /CreationDate (CANARY) /ModDate (CANARY) /Creator (CANARY) /Custom (CANARY) /Producer (CANARY) >>',
        ],
        [6, '<< /Private (CANARY) >>'],
        [7, streamBody('/Type /Metadata /Subtype /XML', 'CANARY')],
        [
          8,
          '<< /Type /Annot /Subtype /Square /Rect [0 0 1 1] /M (CANARY) /CreationDate (CANARY) /NM (CANARY) >>',
        ],
        [
          9,
          streamBody('/Type /XObject /Subtype /Image /Width 1 /Height 1 /Metadata 7 0 R', 'pixel'),
        ],
      ],
      '/Info 5 0 R',
    )
    const document = await canonical(bytes)
    const written = Buffer.from(writePdf(document.file.graph, plain)).toString('latin1')
    expect(written).not.toContain('CANARY')
    // The image only has the name of a metadata stream.
    expect(written).toContain('pixel')
  })

  test('are the same bytes again when the output goes through once more', async () => {
    const extension = invoiceSchema()
    const first = await canonical(
      withXmp(`${claim(3, 'B')}${extension}`, { info: '/Author (A) /Title (T)' }),
    )
    const once = writePdf(first.file.graph, plain)
    const again = await canonical(once)
    expect(Buffer.from(writePdf(again.file.graph, plain)).equals(once)).toBe(true)
  })

  test('keep of the viewer preferences only title and direction', async () => {
    const document = await canonical(
      withXmp('', { catalog: '/ViewerPreferences << /DisplayDocTitle true /HideMenubar true >>' }),
    )
    const preferences = document.file.graph.resolve(
      documentCatalog(document.file.graph).get('ViewerPreferences'),
    )
    expect(preferences).toEqual(new PdfDictionary([['DisplayDocTitle', true]]))
  })
})

describe('a PDF/A claim', () => {
  test('stays: whether it holds is known when the file is written', async () => {
    const document = await canonical(withXmp(claim(2, 'B')), { pdfaPolicy: 'normalize_anyway' })
    expect(xmpOf(document, 'pdfaid', 'part')).toBe('2')
    expect(xmpOf(document, 'pdfaid', 'conformance')).toBe('B')
    expect(codes(document)).toEqual([])
  })

  test('keeps the properties that an extension schema describes, under its prefix', async () => {
    const document = await canonical(withXmp(`${claim(3, 'B')}${invoiceSchema()}`))
    expect(packetOf(document)).toContain('<fx:DocumentType>INVOICE</fx:DocumentType>')
    expect(packetOf(document)).toContain(
      '<pdfaSchema:namespaceURI>urn:factur-x</pdfaSchema:namespaceURI>',
    )
  })

  test('to be PDF/A-1 has one author in XMP, equal to that of Info', async () => {
    const creators =
      '<dc:creator><rdf:Seq><rdf:li>A</rdf:li><rdf:li>B</rdf:li></rdf:Seq></dc:creator>'
    const document = await canonical(withXmp(`${claim(1, 'B')}${creators}`))
    const value = findXmpProperty(
      catalogXmp(document.file.graph) ?? [],
      xmpNamespaces.dc,
      'creator',
    )
    expect(value).toMatchObject({ form: 'Seq', items: [{ text: 'A; B' }] })
    expect(infoOf(document)).toMatchObject({ Author: 'A; B' })
  })

  test('to be PDF/A-4 has no Info', async () => {
    const document = await canonical(withXmp(claim(4, 'E'), { info: '/Title (T)' }))
    expect(document.file.graph.trailer.has('Info')).toBe(false)
    expect(xmpOf(document, 'dc', 'title')).toBe('T')
  })
})

test('a signed document that is preserved keeps its metadata', async () => {
  const document = openedDocument(withXmp(claim(2, 'B'), { info: '/Title (T)' }), {
    signedPdfPolicy: 'preserve',
  })
  document.findings.security.signatureCount = 1
  expect(await metadataCanonical.run(document)).toBe('preserved')
  expect(infoOf(document)).toEqual({ Title: 'T' })
})

const plain = { linearize: false, objectStreams: false, version: '1.7' } as const

function page(): [number, string][] {
  return [
    [2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'],
    [3, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>'],
  ]
}

function withMetadata(xmp: string, entries: { info?: string; catalog?: string } = {}): Uint8Array {
  return classicPdf(
    [
      [1, `<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R ${entries.catalog ?? ''} >>`],
      ...page(),
      [4, streamBody('/Type /Metadata /Subtype /XML', xmp)],
      [5, `<< ${entries.info ?? ''} >>`],
    ],
    '/Info 5 0 R',
  )
}

function withXmp(
  properties: string,
  entries: { info?: string; catalog?: string } = {},
): Uint8Array {
  return withMetadata(xmpPacket(properties), entries)
}

function xmpPacket(properties: string, attributes = ''): string {
  const prefixes = [
    ['dc', xmpNamespaces.dc],
    ['pdfaid', xmpNamespaces.pdfaid],
    ['xmp', 'http://ns.adobe.com/xap/1.0/'],
    ['xmpMM', 'http://ns.adobe.com/xap/1.0/mm/'],
    ['photoshop', 'http://ns.adobe.com/photoshop/1.0/'],
    ['pdfaExtension', xmpNamespaces.pdfaExtension],
    ['pdfaSchema', xmpNamespaces.pdfaSchema],
    ['pdfaProperty', xmpNamespaces.pdfaProperty],
    ['inv', 'urn:factur-x'],
  ]
  const declared = prefixes.map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`).join(' ')
  return (
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">` +
    `<rdf:RDF xmlns:rdf="${xmpNamespaces.rdf}"><rdf:Description rdf:about="" ${declared} ${attributes}>` +
    `${properties}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>${' '.repeat(100)}`
  )
}

function claim(part: number, conformance: string): string {
  return `<pdfaid:part>${part}</pdfaid:part><pdfaid:conformance>${conformance}</pdfaid:conformance>`
}

function invoiceSchema(): string {
  return (
    '<inv:DocumentType>INVOICE</inv:DocumentType><pdfaExtension:schemas><rdf:Bag>' +
    '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X</pdfaSchema:schema>' +
    '<pdfaSchema:namespaceURI>urn:factur-x</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>' +
    '<pdfaSchema:property><rdf:Seq><rdf:li><rdf:Description><pdfaProperty:name>DocumentType</pdfaProperty:name>' +
    '</rdf:Description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas>'
  )
}

async function canonical(
  bytes: Uint8Array,
  options: Partial<NormalizeOptions> = {},
): Promise<DocumentInProgress> {
  const document = openedDocument(bytes, options)
  expect(await metadataCanonical.run(document)).toBe('normalized')
  return document
}

function infoOf({ file: { graph } }: DocumentInProgress): Record<string, string> {
  const info = graph.resolve(graph.trailer.get('Info'))
  if (!(info instanceof PdfDictionary)) return {}
  return Object.fromEntries(
    [...info].flatMap(([key, value]) =>
      value instanceof PdfString ? [[key, decodeTextString(value)]] : [],
    ),
  )
}

function xmpOf(
  { file: { graph } }: DocumentInProgress,
  prefix: keyof typeof xmpNamespaces,
  name: string,
): string | null {
  return xmpText(findXmpProperty(catalogXmp(graph) ?? [], xmpNamespaces[prefix], name))
}

function packetOf({ file: { graph } }: DocumentInProgress): string {
  const metadata = graph.resolve(documentCatalog(graph).get('Metadata'))
  return metadata instanceof PdfStream ? Buffer.from(metadata.data).toString('utf8') : ''
}

function codes({ findings }: DocumentInProgress): string[] {
  return findings.warnings.map(({ code }) => code)
}
