import { describe, expect, test } from 'vitest'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { type SignedHistory, signedHistory } from '../src/revision/signed-history.ts'
import {
  offsetOf,
  type PdfBody,
  type PdfDescription,
  type PdfUpdate,
  replaceText,
  stream,
} from './fixture/build-pdf.ts'
import {
  appearance,
  signatureValue,
  signedFile,
  signedObjects,
  widget,
} from './fixture/signed-file.ts'

const catalog = (entries: string): string =>
  `<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /Metadata 40 0 R ${entries} >>`
const pageWith = (entries: string, annotations = '7 0 R 10 0 R 11 0 R 12 0 R 13 0 R'): string =>
  `<< /Type /Page /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [${annotations}] ${entries} >>`
const resources = '/Resources << /Font << /F1 5 0 R >> /XObject << /Im1 30 0 R >> >> /Parent 2 0 R'

describe('a change is found where only some readers look', () => {
  test('in a node of the page tree that only /Parent leads to', async () => {
    const update = {
      objects: {
        3: pageWith('/Parent 60 0 R'),
        60: '<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F1 61 0 R >> >> >>',
        61: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>',
      },
    }
    const objects = {
      ...signedObjects(),
      2: `<< /Type /Pages /Kids [3 0 R] /Count 1 ${resources.replace('/Parent 2 0 R', '')} >>`,
      3: pageWith('/Parent 2 0 R'),
    }
    expect(await kinds({ objects, updates: [update] })).toContain('content')
  })

  test('behind a type that says it is a page', async () => {
    const objects = {
      ...signedObjects(),
      5: '<< /Type /Page /Subtype /Type1 /BaseFont /Helvetica >>',
    }
    const update = { objects: { 5: '<< /Type /Page /Subtype /Type1 /BaseFont /Symbol >>' } }
    expect(await kinds({ objects, updates: [update] })).toContain('content')
  })

  test('under names of resources that mean nothing elsewhere', async () => {
    for (const name of ['Metadata', 'PieceInfo', 'P', 'M', 'Parent', 'LastModified']) {
      const named = (number: number): string =>
        pageWith(`/Parent 2 0 R /Resources << /XObject << /${name} ${number} 0 R >> >>`)
      const objects = { ...signedObjects(), 3: named(30) }
      const update = { objects: { 3: named(20) } }
      expect([name, await kinds({ objects, updates: [update] })]).toEqual([name, ['content']])
    }
  })

  test('in the length of a stream that stands in an object of its own', async () => {
    const objects = {
      ...signedObjects(),
      4: {
        dictionary: '',
        data: 'BT (shown) Tj ET \nendstream BT (hidden) Tj ET',
        length: '62 0 R',
      },
      62: '17',
    }
    expect(await kinds({ objects, updates: [{ objects: { 62: '45' } }] })).toEqual(['content'])
  })

  test('in a stream that runs into what is appended', async () => {
    const objects = {
      ...signedObjects(),
      4: { dictionary: '', data: 'BT (shown) Tj ET', length: '1234567890' },
    }
    const built = await signedFile({
      objects,
      updates: [{ objects: { 69: '(x)\nendstream BT (hidden) Tj ET' } }],
    })
    const start = offsetOf(built, 'BT (shown)')
    const reach = offsetOf(built, '\nendstream BT (hidden)') - start
    const bytes = replaceText(built, '1234567890', String(reach).padStart(10, '0'))
    const { changes } = signedHistory(readPdf(bytes))
    expect(changes.map(({ kind }) => kind)).toEqual(['content'])
  })

  test('in a reference to a generation that is not there', async () => {
    const update = { objects: { 3: pageWith(resources).replace('4 0 R', '4 1 R') } }
    expect(await kinds({ updates: [update] })).toEqual(['content'])
  })

  test('in the tables of an image that cannot be decoded', async () => {
    const image = (globals: number): PdfBody =>
      stream(
        'x',
        `/Type /XObject /Subtype /Image /Width 1 /Height 1 /Filter /JBIG2Decode /DecodeParms << /JBIG2Globals ${globals} 0 R >>`,
      )
    const objects = {
      ...signedObjects(),
      30: image(63),
      63: stream('globals'),
      64: stream('other'),
    }
    expect(await kinds({ objects, updates: [{ objects: { 30: image(64) } }] })).toEqual(['content'])
    expect(await kinds({ objects, updates: [{ objects: { 30: image(63) } }] })).toEqual([])
  })

  test('in one of several direct annotations that are alike', async () => {
    const note = (text: string): string =>
      `<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /Contents (${text}) >>`
    const all = '7 0 R 10 0 R 11 0 R 12 0 R 13 0 R'
    const objects = { ...signedObjects(), 3: pageWith(resources, `${all} ${note('a')}`) }
    const update = { objects: { 3: pageWith(resources, `${all} ${note('b')} ${note('a')}`) } }
    expect(await kinds({ objects, updates: [update] })).toEqual(['annotation'])
  })

  test('in the template of an XFA form, while its data may be filled in', async () => {
    const form =
      '<< /Fields [7 0 R 10 0 R 11 0 R 12 0 R] /SigFlags 3 /XFA [(template) 65 0 R (datasets) 66 0 R] >>'
    const objects = {
      ...signedObjects(),
      6: form,
      65: stream('<template/>'),
      66: stream('<data/>'),
    }
    expect(
      await kinds({ objects, updates: [{ objects: { 66: stream('<data>x</data>') } }] }),
    ).toEqual(['form-refilled'])
    expect(
      await kinds({ objects, updates: [{ objects: { 65: stream('<template>x</template>') } }] }),
    ).toEqual(['field-altered'])
  })

  test('in a field that was hidden and is shown over the text once it is filled in', async () => {
    const hidden = widget('/FT /Tx /T (Wide)', '[60 700 400 760]', 67).replace('/F 4', '/F 2')
    const objects = {
      ...signedObjects(),
      3: pageWith(resources, '7 0 R 10 0 R 11 0 R 12 0 R 13 0 R 68 0 R'),
      6: '<< /Fields [7 0 R 10 0 R 11 0 R 12 0 R 68 0 R] /SigFlags 3 >>',
      67: appearance('BT ET'),
      68: hidden,
    }
    const update = {
      objects: {
        67: appearance('1 g 0 0 200 50 re f BT (999) Tj ET'),
        68: widget('/FT /Tx /T (Wide) /V (999)', '[60 700 400 760]', 67),
      },
    }
    const { coverings } = await history({ objects, updates: [update] })
    expect(coverings).toMatchObject([{ how: 'placed', page: 1, isSignature: false }])
  })

  test('in objects that are appended and listed nowhere', async () => {
    const after = '4 0 obj\n<< /Length 5 >>\nstream\nBT ET\nendstream\nendobj\n'
    expect((await history({ after })).overtaken.size).toBe(1)
    expect((await history({ after: '\n' })).overtaken.size).toBe(0)
  })

  test('in an update that makes a document of bytes that were none', async () => {
    const { 9: signature = '', ...others } = signedObjects()
    const objects = { 9: signature }
    const found = await history({ objects, updates: [{ objects: others }] })
    expect(found.unreadableRevisions).toEqual([0])
    expect(found.overtaken.size).toBe(1)
  })

  test('in an update without an end of its own', async () => {
    const whole = await signedFile({ updates: [{ objects: { 4: stream('BT ET') } }] })
    const cut = whole.subarray(0, Buffer.from(whole).lastIndexOf('%%EOF'))
    expect(signedHistory(readPdf(cut)).changes.map(({ kind }) => kind)).toContain('content')
  })

  test('in an update whose chain leads nowhere', async () => {
    const whole = await signedFile({ updates: [{ objects: { 4: stream('BT ET') } }] })
    const broken = Buffer.from(whole)
    broken.write('/Prev 99999999', broken.lastIndexOf('/Prev'), 'latin1')
    expect(signedHistory(readPdf(broken)).changes.map(({ kind }) => kind)).toContain('content')
  })

  test('in a signature that the last revision no longer has', async () => {
    const update: PdfUpdate = {
      objects: {
        3: pageWith(resources, '10 0 R 11 0 R 12 0 R 13 0 R'),
        6: '<< /Fields [10 0 R 11 0 R 12 0 R] >>',
      },
      freed: [7, 9],
    }
    const { lostSignatures, changes } = await history({ updates: [update, { objects: {} }] })
    expect(lostSignatures).toHaveLength(1)
    expect(changes.map(({ kind }) => kind)).toContain('signature-altered')
  })
})

describe('a hostile document is compared in bounded time', () => {
  test('with fields, pages, annotations and structure elements in circles', async () => {
    const circles: Record<number, PdfBody> = {
      ...signedObjects(),
      1: catalog('/StructTreeRoot 70 0 R /Outlines 74 0 R /Circle [1 0 R 75 0 R]'),
      6: '<< /Fields [7 0 R 71 0 R] /SigFlags 3 >>',
      70: '<< /Type /StructTreeRoot /K [72 0 R] >>',
      71: '<< /T (a) /Kids [73 0 R 71 0 R] /Parent 73 0 R >>',
      72: '<< /Type /StructElem /S /P /P 72 0 R /K [72 0 R 70 0 R] >>',
      73: '<< /T (b) /Kids [71 0 R] /Parent 71 0 R >>',
      74: '<< /First 74 0 R /Next 74 0 R /Prev 74 0 R >>',
      75: '[75 0 R [75 0 R 75 0 R]]',
    }
    const again = Object.fromEntries(Object.entries(circles).filter(([number]) => number !== '9'))
    expect(await kinds({ objects: circles, updates: [{ objects: again }] })).not.toContain('other')
  })

  test('with arrays that are nested deeply, and dictionaries that share everything', async () => {
    const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    const doubling = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        100 + index,
        index === 59 ? '(end)' : `[${101 + index} 0 R ${101 + index} 0 R]`,
      ]),
    )
    const objects = {
      ...signedObjects(),
      ...doubling,
      1: catalog(`/Deep ${deep(400)} /Double 100 0 R`),
    }
    expect(await kinds({ objects, updates: [{ objects: doubling }] })).toEqual([])
    expect(await kinds({ objects, updates: [{ objects: { 159: '(other)' } }] })).toEqual(['other'])
  })

  test('with a content that many pages name', async () => {
    const pages = Array.from({ length: 50 }, (_, index) => 200 + index)
    const shared = `/Contents [${'198 0 R '.repeat(20)}]`
    const objects: Record<number, PdfBody> = {
      ...signedObjects(),
      2: `<< /Type /Pages /Kids [3 0 R ${pages.map((number) => `${number} 0 R`).join(' ')}] /Count 51 >>`,
      198: stream('BT (x) Tj ET '.repeat(2000)),
      ...Object.fromEntries(
        pages.map((number) => [number, `<< /Type /Page /Parent 2 0 R ${shared} >>`]),
      ),
    }
    const update = { objects: { 198: stream('BT (y) Tj ET '.repeat(2000)) } }
    const changed = await kinds({ objects, updates: [update] })
    expect(changed).toContain('content')
    // The rest was too much to be compared, and is not taken for unaltered.
    expect(changed).toContain('other')
  }, 30_000)

  test('with more signed revisions than are read', async () => {
    const updates = Array.from({ length: 60 }, (_, index) => ({
      objects: {
        3: pageWith(resources, `13 0 R ${fieldsUpTo(index)}`),
        6: `<< /Fields [${fieldsUpTo(index)}] /SigFlags 3 /DA (/Helv 0 Tf) /DR << /Font << /Helv 5 0 R >> >> >>`,
        [100 + 2 * index]: widget(
          `/FT /Sig /T (S${index}) /V ${101 + 2 * index} 0 R`,
          '[0 0 0 0]',
          20,
        ),
        [101 + 2 * index]: signatureValue(),
      },
    }))
    const { changes, overtaken } = await history({ updates })
    expect(changes.filter(({ severity }) => severity !== null)).toEqual([])
    expect(overtaken.size).toBe(0)
  })

  test('with byte ranges that sign nothing', async () => {
    const ranges = `[${'(/ByteRange [0 1 2 3]) '.repeat(50)}]`
    const objects = { ...signedObjects(), 76: ranges }
    expect(await kinds({ objects, updates: [{ objects: { 77: '(x)' } }] })).toEqual([])
  })
})

function fieldsUpTo(index: number): string {
  const added = Array.from({ length: index + 1 }, (_, field) => `${100 + 2 * field} 0 R`)
  return `7 0 R 10 0 R 11 0 R 12 0 R ${added.join(' ')}`
}

async function history(description: PdfDescription): Promise<SignedHistory> {
  return signedHistory(readPdf(await signedFile(description)))
}

async function kinds(description: PdfDescription): Promise<string[]> {
  const { changes } = await history(description)
  return changes.map(({ kind }) => kind)
}
