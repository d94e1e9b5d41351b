import { TamperAnalysis } from '@pdfnorm/contracts/schema/tamper-analysis'
import { describe, expect, test } from 'vitest'
import { tamperDetection } from '../src/stages/1-tamper-detection.ts'
import { offsetOf, type PdfDescription, type PdfUpdate, stream } from './fixture/build-pdf.ts'
import { openedDocument } from './fixture/document.ts'
import {
  appearance,
  signatureValue,
  signedFile,
  signedObjects,
  widget,
} from './fixture/signed-file.ts'

const page = (entries: string, annotations = '7 0 R 10 0 R 11 0 R 12 0 R 13 0 R'): string =>
  `<< /Type /Page /Parent 2 0 R /Annots [${annotations}] ${entries} >>`
const pageEntries =
  '/MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /Im1 30 0 R >> >>'
const catalog = (entries: string): string =>
  `<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /Metadata 40 0 R ${entries} >>`
const kept = '/DSS << /Certs [61 0 R] >> /Unknown (before)'
const form = (fields: string, entries = ''): string =>
  `<< /Fields [${fields}] /SigFlags 3 /DA (/Helv 0 Tf) /DR << /Font << /Helv 5 0 R >> >> ${entries} >>`
const allFields = '7 0 R 10 0 R 11 0 R 12 0 R'

const other = '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>'

/** What software does to signed documents every day. */
const harmless: Record<string, PdfUpdate | PdfUpdate[]> = {
  'an update of nothing': {},
  'objects written again as they were': { objects: signedObjects9() },
  'the same in an object stream': { objects: { 31: '(unused)' }, crossReference: 'stream' },
  'a field that was empty is filled in': {
    objects: {
      10: widget('/FT /Tx /T (Empty) /V (filled)', '[72 200 272 220]', 24),
      24: appearance('BT /Helv 12 Tf (filled) Tj ET'),
    },
  },
  'its appearance is drawn over the one that was there': {
    objects: {
      10: widget('/FT /Tx /T (Empty) /V (filled)', '[72 200 272 220]', 21),
      21: appearance('BT /Helv 12 Tf (filled) Tj ET'),
    },
  },
  'an empty field is drawn anew with nothing in it': {
    objects: { 21: appearance('/Tx BMC q BT /Helv 12 Tf () Tj ET Q EMC') },
  },
  'a field is written with its texts in another encoding': {
    objects: {
      11: widget(
        '/FT /Tx /T <FEFF00460069006C006C00650064> /V <FEFF006200650066006F00720065>',
        '[72 240 272 260]',
        22,
      ),
    },
  },
  'fonts are added to the resources of the page, under a name that no content has': {
    objects: { 3: page(pageEntries.replace('/F1 5 0 R', '/F1 5 0 R /F9 54 0 R')), 54: other },
  },
  'a kind of resource is added to them that no content uses': {
    objects: {
      3: page(
        pageEntries.replace('/Font', '/ProcSet [/PDF] /ExtGState << /G << /ca 0 >> >> /Font'),
      ),
    },
  },
  'a filled field is locked': {
    objects: { 11: widget('/FT /Tx /T (Filled) /V (before) /Ff 1', '[72 240 272 260]', 22) },
  },
  'an empty field is hidden': {
    objects: {
      10: widget('/FT /Tx /T (Empty)', '[72 200 272 220]', 21).replace('/F 4', '/F 6'),
    },
  },
  'the second field is signed': {
    objects: {
      12: widget('/FT /Sig /T (Second) /V 50 0 R', '[300 100 500 150]', 51),
      50: signatureValue(),
      51: appearance('0 0 200 50 re S', '/Resources << /Font << /Helv 5 0 R >> >>'),
    },
  },
  'a third field is added and signed': {
    objects: {
      3: page(pageEntries, '7 0 R 10 0 R 11 0 R 12 0 R 13 0 R 52 0 R'),
      6: form(`${allFields} 52 0 R`),
      50: signatureValue(),
      51: appearance('0 0 200 50 re S'),
      52: widget('/FT /Sig /T (Third) /V 50 0 R', '[300 20 500 70]', 51),
    },
  },
  'ten more signatures follow': Array.from({ length: 10 }, (_, index) => {
    const added = Array.from({ length: index + 1 }, (_, field) => `${100 + 3 * field} 0 R`)
    return {
      objects: {
        3: page(pageEntries, `7 0 R 10 0 R 11 0 R 12 0 R 13 0 R ${added.join(' ')}`),
        6: form(`${allFields} ${added.join(' ')}`),
        [100 + 3 * index]: widget(
          `/FT /Sig /T (More${index}) /V ${101 + 3 * index} 0 R`,
          '[0 0 0 0]',
          20,
        ),
        [101 + 3 * index]: signatureValue(),
      },
    }
  }),
  'validation data and a document time-stamp are added': [
    {
      objects: {
        1: catalog(
          '/DSS 60 0 R /Extensions << /ESIC << /BaseVersion /1.7 /ExtensionLevel 5 >> >> /Version /1.7',
        ),
        60: '<< /Certs [61 0 R] /VRI << /AB << /Cert [61 0 R] >> >> >>',
        61: stream('certificate'),
      },
    },
    {
      objects: {
        3: page(pageEntries, '7 0 R 10 0 R 11 0 R 12 0 R 13 0 R 52 0 R'),
        6: form(`${allFields} 52 0 R`),
        50: signatureValue('/V 0', 'ETSI.RFC3161'),
        52: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Stamp) /V 50 0 R /Rect [0 0 0 0] /F 132 /P 3 0 R >>',
      },
    },
  ],
  'metadata, information and permissions of a viewer change': {
    objects: {
      1: catalog(
        '/ViewerPreferences << /DisplayDocTitle true >> /PieceInfo << /X << /Private 1 >> >>',
      ),
      40: stream(
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"> </x:xmpmeta>',
        '/Type /Metadata /Subtype /XML',
      ),
      41: '<< /Title (Other) >>',
    },
    trailer: '/Info 41 0 R',
  },
  'page, page tree and form are written again, with numbers and white space of another writer': {
    objects: {
      2: '<<\n/Kids [ 3 0 R ]\n/Count 1\n/Type/Pages\n>>',
      3: page(pageEntries.replace('[0 0 612 792]', '[0.0 0.000 612.0042 791.9958]')),
      4: stream(
        'BT\n/F1 24.0 Tf\n72 720 Td\n<5468652073756d20697320313030> Tj\nET\nq\n90 0 0 90 72 500 cm\n/Im1 Do\nQ',
      ),
      6: form('7 0 R  10 0 R  11 0 R  12 0 R'),
    },
  },
  'annotations are listed in an array of their own, in another order': {
    objects: {
      3: `<< /Type /Page /Parent 2 0 R /Annots 53 0 R ${pageEntries} >>`,
      53: '[13 0 R 12 0 R 7 0 R 11 0 R 10 0 R]',
    },
  },
  'attributes move up to where pages inherit them': {
    objects: {
      2: '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>',
      3: page(pageEntries.replace('/MediaBox [0 0 612 792]', '/Rotate 0')),
    },
  },
  'fonts are added to the form, and it no longer asks for appearances': {
    objects: {
      6: '<< /Fields [7 0 R 10 0 R 11 0 R 12 0 R] /SigFlags 3 /DA (/Helv 0 Tf) /DR << /Font << /Helv 5 0 R /Arial 54 0 R >> >> >>',
      54: '<< /Type /Font /Subtype /Type1 /BaseFont /Arial >>',
    },
  },
  'a layer for what it adds': {
    objects: {
      1: catalog('/OCProperties << /OCGs [59 0 R] /D << /ON [59 0 R] >> >>'),
      59: '<< /Type /OCG /Name (Signature) >>',
    },
  },
  'an object that nothing refers to': { objects: { 55: stream('BT (secret) Tj ET') } },
  'an unused object is freed': { freed: [70] },
}

describe('an update of a signed document is no anomaly', () => {
  test.each(Object.entries(harmless))('%s', async (_, update) => {
    const bytes = await signedFile({ updates: [update].flat() })
    expect(anomaliesOf(bytes)).toEqual([])
  })

  test('that is linearized', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1)
    const objects = signedObjects()
    const bytes = await signedFile({
      objects: Object.fromEntries(numbers.map((number) => [number, objects[number] ?? 'null'])),
      linearized: true,
      updates: [{ objects: signedObjects9() }],
    })
    expect(anomaliesOf(bytes)).toEqual([])
  })

  test('that is hybrid', async () => {
    const bytes = await signedFile({
      crossReference: 'hybrid',
      compressed: [5, 10],
      updates: [{ objects: { 5: signedObjects()[5] ?? '' } }],
    })
    expect(anomaliesOf(bytes)).toEqual([])
  })
})

const injection = (severity: string): string => `INCREMENTAL_UPDATE_INJECTION ${severity}`
const shadow = (severity: string): string => `SHADOW_CONTENT_DETECTED ${severity}`

describe('the shadow attacks, rebuilt', () => {
  test('hide by leading the entry of an image to the metadata', async () => {
    const base = await signedFile()
    const bytes = await signedFile({
      updates: [{ objects: { 55: '(new)' }, entries: { 30: offsetOf(base, '40 0 obj') } }],
    })
    expect(anomaliesOf(bytes)).toContain(injection('critical'))
    expect(anomaliesOf(bytes).some((anomaly) => anomaly.startsWith('SHADOW'))).toBe(true)
  })

  test('hide by a page that no longer paints the image', async () => {
    const update = { objects: { 4: stream('BT /F1 24 Tf 72 720 Td (The sum is 100) Tj ET') } }
    expect(anomaliesOf(await signedFile({ updates: [update] }))).toEqual([
      injection('critical'),
      shadow('critical'),
    ])
  })

  test('hide by taking the annotation away that covered the text', async () => {
    const overlay = widget('/FT /Tx /T (Overlay) /V (100)', '[72 710 272 740]', 22)
    const objects = {
      ...signedObjects(),
      3: page(pageEntries, '7 0 R 10 0 R 11 0 R 12 0 R 13 0 R 14 0 R'),
      6: form(`${allFields} 14 0 R`),
      14: overlay,
    }
    const update = { objects: { 3: page(pageEntries) } }
    expect(anomaliesOf(await signedFile({ objects, updates: [update] }))).toEqual([
      injection('critical'),
      shadow('critical'),
    ])
  })

  test('replace by another appearance of a field whose value stays', async () => {
    const update = { objects: { 22: appearance('BT /Helv 12 Tf (after) Tj ET') } }
    expect(anomaliesOf(await signedFile({ updates: [update] }))).toEqual([
      injection('high'),
      shadow('critical'),
    ])
  })

  test('replace by another program of a font', async () => {
    const objects = {
      ...signedObjects(),
      5: '<< /Type /Font /Subtype /TrueType /BaseFont /Own /FontDescriptor 15 0 R >>',
      15: '<< /Type /FontDescriptor /FontName /Own /FontFile2 16 0 R >>',
      16: stream('glyphs'),
    }
    const update = { objects: { 16: stream('GLYPHS') } }
    expect(anomaliesOf(await signedFile({ objects, updates: [update] }))).toContain(
      shadow('critical'),
    )
  })

  test('hide and replace by naming a content that lay hidden in the signed bytes', async () => {
    const hidden =
      '4 0 obj\n<< /Length 45 >>\nstream\nBT /F1 24 Tf 72 720 Td (The sum is 999) Tj ET\nendstream\nendobj\n'
    const objects = { ...signedObjects(), 17: `(x)\nendobj\n${hidden}18 0 obj\n(y)` }
    const base = await signedFile({ objects })
    const bytes = await signedFile({
      objects,
      updates: [{ entries: { 4: Buffer.from(base).indexOf('4 0 obj\n<< /Length 45') } }],
    })
    const found = anomaliesOf(bytes)
    expect(found).toContain(injection('critical'))
    expect(found.filter((anomaly) => anomaly === shadow('critical')).length).toBeGreaterThanOrEqual(
      2,
    )
  })

  test('hide and replace by freeing the annotation that covered the text', async () => {
    const objects = {
      ...signedObjects(),
      3: page(pageEntries, '7 0 R 10 0 R 11 0 R 12 0 R 13 0 R 14 0 R'),
      14: '<< /Type /Annot /Subtype /FreeText /Rect [72 710 272 740] /Contents (100) /AP << /N 22 0 R >> >>',
    }
    const found = anomaliesOf(await signedFile({ objects, updates: [{ freed: [14] }] }))
    expect(found).toEqual([injection('critical'), shadow('critical'), shadow('critical')])
  })
})

describe('the structure tree of a signed document', () => {
  const tagged = {
    ...signedObjects(),
    1: catalog('/MarkInfo << /Marked true >> /StructTreeRoot 80 0 R'),
    80: '<< /Type /StructTreeRoot /K 81 0 R /ParentTree 83 0 R /ParentTreeNextKey 1 >>',
    81: '<< /Type /StructElem /S /Document /P 80 0 R /K [82 0 R] >>',
    82: '<< /Type /StructElem /S /Figure /P 81 0 R /Alt (a sum) /K [0] /Pg 3 0 R >>',
    83: '<< /Nums [0 [82 0 R]] >>',
  }

  const outlined = {
    ...tagged,
    1: catalog('/MarkInfo << /Marked true >> /StructTreeRoot 80 0 R /Outlines 85 0 R'),
    85: '<< /Type /Outlines /First 86 0 R /Last 86 0 R /Count 1 >>',
    86: '<< /Title (Sum) /Parent 85 0 R /Dest [3 0 R /Fit] /SE 82 0 R >>',
  }

  test.each([
    ['', tagged],
    [' of a document whose bookmarks lead to others', outlined],
  ])('may get elements for new widgets%s', async (_, objects) => {
    const update = {
      objects: {
        80: '<< /Type /StructTreeRoot /K [81 0 R 84 0 R] /ParentTree 83 0 R /ParentTreeNextKey 2 >>',
        81: '<< /Type /StructElem /S /Document /P 80 0 R /K [82 0 R 84 0 R] >>',
        83: '<< /Nums [0 [82 0 R] 1 84 0 R] >>',
        84: '<< /Type /StructElem /S /Form /P 81 0 R /K << /Type /OBJR /Obj 12 0 R >> >>',
      },
    }
    expect(anomaliesOf(await signedFile({ objects, updates: [update] }))).toEqual([])
  })

  test('has bookmarks beside it that are told of when they say something else', async () => {
    const update = { objects: { 86: outlined[86].replace('Sum', 'Other') } }
    expect(anomaliesOf(await signedFile({ objects: outlined, updates: [update] }))).toEqual([
      injection('low'),
    ])
  })

  test.each([
    ['says something else', { 82: tagged[82].replace('a sum', 'another') }],
    ['lost an element', { 81: '<< /Type /StructElem /S /Document /P 80 0 R /K [] >>' }],
    ['is gone', { 1: catalog('/MarkInfo << /Marked true >>') }],
  ])('is told of when it %s', async (_, objects) => {
    const bytes = await signedFile({ objects: tagged, updates: [{ objects }] })
    expect(anomaliesOf(bytes)).toEqual([injection('low')])
  })
})

describe('an update of a signed document is an anomaly', () => {
  const attacks: Record<string, [PdfUpdate | PdfUpdate[], string]> = {
    'an empty field shows something and has no value': [
      { objects: { 21: appearance('BT /Helv 12 Tf (100) Tj ET') } },
      injection('high'),
    ],
    'an empty field shows a drawing': [
      { objects: { 21: appearance('10 10 20 20 re f') } },
      injection('high'),
    ],
    'a page is added': [
      {
        objects: {
          2: '<< /Type /Pages /Kids [3 0 R 56 0 R] /Count 2 >>',
          56: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
        },
      },
      injection('critical'),
    ],
    'a resource is added that the content named and had not': [
      {
        objects: { 3: page(pageEntries.replace('/F1 5 0 R', '/F1 5 0 R /Im1 54 0 R')), 54: other },
      },
      injection('critical'),
    ],
    'a colour space stands in for that of the device': [
      {
        objects: {
          3: page(
            pageEntries.replace('/Font', '/ColorSpace << /DefaultGray [/Separation] >> /Font'),
          ),
        },
      },
      injection('critical'),
    ],
    'a resource is another': [
      { objects: { 3: page(pageEntries.replace('/F1 5 0 R', '/F1 54 0 R')), 54: other } },
      injection('critical'),
    ],
    'a resource is taken away': [
      { objects: { 3: page(pageEntries.replace('/F1 5 0 R', '')) } },
      injection('critical'),
    ],
    'a page is shown once more': [
      { objects: { 2: '<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>' } },
      injection('critical'),
    ],
    'a field whose value is only written otherwise looks other': [
      {
        objects: {
          11: widget(
            '/FT /Tx /T (Filled) /V <FEFF006200650066006F00720065>',
            '[72 240 272 260]',
            22,
          ),
          22: appearance('BT /Helv 12 Tf (after) Tj ET'),
        },
      },
      injection('high'),
    ],
    'a filled field is hidden': [
      {
        objects: {
          11: widget('/FT /Tx /T (Filled) /V (before)', '[72 240 272 260]', 22).replace(
            '/F 4',
            '/F 6',
          ),
        },
      },
      injection('high'),
    ],
    'a filled field is one for a password': [
      {
        objects: {
          11: widget('/FT /Tx /T (Filled) /V (before) /Ff 8192', '[72 240 272 260]', 22),
        },
      },
      injection('low'),
    ],
    'the page is replaced': [
      {
        objects: {
          2: '<< /Type /Pages /Kids [56 0 R] /Count 1 >>',
          56: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
        },
      },
      injection('critical'),
    ],
    'the page is turned': [
      { objects: { 3: page(`${pageEntries} /Rotate 180`) } },
      injection('critical'),
    ],
    'its colour space is another': [
      { objects: { 3: page(pageEntries.replace('/Im1', '/Im2')) } },
      injection('critical'),
    ],
    'a field is taken away': [
      {
        objects: {
          3: page(pageEntries, '7 0 R 11 0 R 12 0 R 13 0 R'),
          6: form('7 0 R 11 0 R 12 0 R'),
        },
      },
      injection('critical'),
    ],
    'a text field is added': [
      {
        objects: {
          3: page(pageEntries, '7 0 R 10 0 R 11 0 R 12 0 R 13 0 R 57 0 R'),
          6: form(`${allFields} 57 0 R`),
          57: widget('/FT /Tx /T (New) /V (x)', '[300 200 400 220]', 22),
        },
      },
      injection('high'),
    ],
    'a widget stands on the page that the form does not know': [
      {
        objects: {
          3: page(pageEntries, '7 0 R 10 0 R 11 0 R 12 0 R 13 0 R 57 0 R'),
          57: widget('/FT /Tx /T (New) /V (x)', '[300 200 400 220]', 22),
        },
      },
      injection('high'),
    ],
    'a field is moved': [
      { objects: { 11: widget('/FT /Tx /T (Filled) /V (before)', '[72 640 272 660]', 22) } },
      injection('high'),
    ],
    'a field has another name': [
      { objects: { 11: widget('/FT /Tx /T (Renamed) /V (before)', '[72 240 272 260]', 22) } },
      injection('high'),
    ],
    'a value is replaced': [
      { objects: { 11: widget('/FT /Tx /T (Filled) /V (after)', '[72 240 272 260]', 22) } },
      injection('low'),
    ],
    'an annotation is added': [
      {
        objects: {
          3: page(pageEntries, '7 0 R 10 0 R 11 0 R 12 0 R 13 0 R 57 0 R'),
          57: '<< /Type /Annot /Subtype /Text /Rect [500 600 520 620] /Contents (new) >>',
        },
      },
      injection('medium'),
    ],
    'a script runs when the document is opened': [
      { objects: { 1: catalog(`${kept} /OpenAction << /S /JavaScript /JS (x) >>`) } },
      injection('critical'),
    ],
    'a file is embedded': [
      {
        objects: {
          1: catalog(
            `${kept} /Names << /EmbeddedFiles << /Names [(a) << /F (a) /EF << /F 58 0 R >> >>] >> >>`,
          ),
          58: stream('data', '/Type /EmbeddedFile'),
        },
      },
      injection('critical'),
    ],
    'layers are hidden': [
      {
        objects: {
          1: catalog(`${kept} /OCProperties << /OCGs [] /D << /OFF [62 0 R] >> >>`),
        },
      },
      injection('critical'),
    ],
    'validation data is removed': [
      { objects: { 1: catalog('/Unknown (before)') } },
      injection('high'),
    ],
    'the metadata is no XML': [
      { objects: { 40: stream('not XML', '/Type /Metadata /Subtype /XML') } },
      injection('low'),
    ],
    'a field has kids that are none': [
      {
        objects: {
          10: widget('/FT /Tx /T (Empty) /Kids [null]', '[72 200 272 220]', 21),
        },
      },
      injection('high'),
    ],
    'an entry that no reader knows is another': [
      { objects: { 1: catalog('/DSS << /Certs [61 0 R] >> /Unknown (after)') } },
      injection('high'),
    ],
    'the bookmarks are others': [
      { objects: { 1: catalog(`${kept} /Outlines << /Type /Outlines /Count 0 >>`) } },
      injection('low'),
    ],
    'the signature says another reason': [
      {
        objects: {
          7: widget('/FT /Sig /T (Signature) /V 59 0 R', '[72 100 272 150]', 20),
          59: signatureValue('/Reason (other)'),
        },
      },
      injection('critical'),
    ],
  }
  test.each(Object.entries(attacks))('%s', async (_, [update, expected]) => {
    const objects = {
      ...signedObjects(),
      1: catalog(kept),
      61: stream('certificate'),
      62: '<< /Type /OCG /Name (x) >>',
    }
    const found = anomaliesOf(await signedFile({ objects, updates: [update].flat() }))
    expect(found.filter((anomaly) => anomaly.startsWith('INCREMENTAL'))).toEqual([expected])
  })

  test('one for each update, at its bytes', async () => {
    const bytes = await signedFile({
      updates: [
        { objects: { 4: stream('BT ET') } },
        { objects: { 55: '(nothing)' } },
        { objects: { 11: widget('/FT /Tx /T (Filled) /V (after)', '[72 240 272 260]', 22) } },
      ],
    })
    const { anomalies } = analysisOf(bytes)
    const revisions = anomalies
      .filter(({ type }) => type === 'INCREMENTAL_UPDATE_INJECTION')
      .map(({ location }) => location?.replace(/^bytes \d+-\d+, /, ''))
    expect(revisions).toEqual(['revision 2 of 4', 'revision 4 of 4'])
  })

  test('what pages show is told by page and object, and nothing of the document is quoted', async () => {
    const bytes = await signedFile({ updates: [{ objects: { 4: stream('BT (Secret) Tj ET') } }] })
    const shown = analysisOf(bytes).anomalies.find(({ type }) => type === 'SHADOW_CONTENT_DETECTED')
    expect(shown?.location).toMatch(/^bytes \d+-\d+, object 4 0, page 1$/)
    expect(JSON.stringify(analysisOf(bytes))).not.toMatch(/Secret|sum/)
  })

  test('a signature that is gone is told as that', async () => {
    const update = { objects: { 7: widget('/FT /Sig /T (Signature)', '[72 100 272 150]', 20) } }
    const found = anomaliesOf(await signedFile({ updates: [update] }))
    expect(found).toContain('ORPHANED_SIGNATURE_FIELD critical')
    expect(found).toContain(injection('critical'))
  })

  test('an appearance that something else refers to may not be replaced', async () => {
    const objects = { ...signedObjects(), 1: catalog('/Unknown 21 0 R') }
    const filled = harmless['a field that was empty is filled in'] ?? []
    expect(anomaliesOf(await signedFile({ objects, updates: [filled].flat() }))).toEqual([
      injection('high'),
    ])
    const trailer = { objects: signedObjects(), trailer: '/Unknown 21 0 R' }
    expect(anomaliesOf(await signedFile({ ...trailer, updates: [filled].flat() }))).toEqual([
      injection('high'),
    ])
  })

  test('an object is what its object stream says, and that was replaced', async () => {
    const objects = {
      ...signedObjects(),
      5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    }
    const description: PdfDescription = { objects, crossReference: 'stream', compressed: [5, 10] }
    const whole = await signedFile(description)
    const streamNumber = Number(
      /(\d+) 0 obj\n<< \/Type \/ObjStm/.exec(Buffer.from(whole).toString('latin1'))?.[1],
    )
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol    >>'
    const field = `${widget('/FT /Tx /T (Empty)', '[72 200 272 220]', 21)} `
    const table = `5 0 10 ${font.length + 1} `
    const update: PdfUpdate = {
      crossReference: 'stream',
      objects: {
        [streamNumber]: stream(
          `${table}${font} ${field}`,
          `/Type /ObjStm /N 2 /First ${table.length}`,
        ),
      },
    }
    expect(anomaliesOf(await signedFile({ ...description, updates: [update] }))).toContain(
      shadow('critical'),
    )
  })
})

/** The objects but for the signature, whose bytes are signed where they stand. */
function signedObjects9(): ReturnType<typeof signedObjects> {
  const { 9: _, ...others } = signedObjects()
  return others
}

function analysisOf(bytes: Uint8Array): TamperAnalysis {
  const document = openedDocument(bytes)
  tamperDetection.run(document)
  return TamperAnalysis.parse(document.findings.tamperAnalysis)
}

function anomaliesOf(bytes: Uint8Array): string[] {
  const { anomalies } = analysisOf(bytes)
  return anomalies.map(({ type, severity }) => `${type} ${severity}`).toSorted()
}
