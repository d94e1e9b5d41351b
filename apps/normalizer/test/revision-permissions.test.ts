import { TamperAnalysis } from '@pdfnorm/contracts/schema/tamper-analysis'
import { describe, expect, test } from 'vitest'
import { digitalSignatureDetection } from '../src/stages/3-digital-signature-detection.ts'
import { tamperDetection } from '../src/stages/1-tamper-detection.ts'
import { type PdfBody, type PdfUpdate, stream } from './fixture/build-pdf.ts'
import { openedDocument } from './fixture/document.ts'
import {
  appearance,
  signatureValue,
  signedFile,
  signedObjects,
  widget,
} from './fixture/signed-file.ts'
import { makeCms, makeSigner } from './fixture/signer.ts'

type Objects = Record<number, PdfBody>

/** A signature that certifies, with the permissions P (ISO 32000-2, table 257). */
function certified(level: number, objects: Objects = signedObjects()): Objects {
  const reference = `/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P ${level} /V /1.2 >> >>]`
  return {
    ...objects,
    1: '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /Metadata 40 0 R /Perms << /DocMDP 9 0 R >> >>',
    9: signatureValue(reference),
  }
}

const pageWith = (annotations: string): string =>
  `<< /Type /Page /Parent 2 0 R /Annots [7 0 R 10 0 R 11 0 R 12 0 R ${annotations}] /MediaBox [0 0 612 792] ` +
  '/Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /Im1 30 0 R >> >> >>'
const formWith = (fields: string): string =>
  `<< /Fields [7 0 R 10 0 R 11 0 R 12 0 R ${fields}] /SigFlags 3 /DA (/Helv 0 Tf) /DR << /Font << /Helv 5 0 R >> >> >>`

const filled: PdfUpdate = {
  objects: {
    10: widget('/FT /Tx /T (Empty) /V (filled)', '[72 200 272 220]', 24),
    24: appearance('BT /Helv 12 Tf (filled) Tj ET'),
  },
}
const refilled: PdfUpdate = {
  objects: {
    11: widget('/FT /Tx /T (Filled) /V (after)', '[72 240 272 260]', 24),
    24: appearance('BT /Helv 12 Tf (after) Tj ET'),
  },
}
const secondSignature: PdfUpdate = {
  objects: {
    12: widget('/FT /Sig /T (Second) /V 50 0 R', '[300 100 500 150]', 51),
    50: signatureValue(),
    51: appearance('0 0 200 50 re S'),
  },
}
const validationData: PdfUpdate[] = [
  {
    objects: {
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /Metadata 40 0 R /Perms << /DocMDP 9 0 R >> /DSS << /Certs [61 0 R] >> >>',
      61: stream('certificate'),
    },
  },
  {
    objects: {
      3: pageWith('13 0 R 52 0 R'),
      6: formWith('52 0 R'),
      50: signatureValue('', 'ETSI.RFC3161'),
      52: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Stamp) /V 50 0 R /Rect [0 0 0 0] /F 132 /P 3 0 R >>',
    },
  },
]
const onTheText = '[100 712 180 748]'
const besideTheText = '[72 600 272 640]'
const note: PdfUpdate = annotationAt('/Subtype /Text /Contents (new)', besideTheText)

describe('a certified document', () => {
  const rows: [string, PdfUpdate | PdfUpdate[], (string | null)[]][] = [
    ['with validation data added', validationData, [null, null, null]],
    ['with a field filled in', filled, ['critical', null, null]],
    ['with a value replaced', refilled, ['critical', 'low', 'low']],
    ['signed once more', secondSignature, ['critical', null, null]],
    ['with a note', note, ['critical', 'high', null]],
    ['with its note taken away', { objects: { 3: pageWith('') } }, ['critical', 'critical', null]],
    [
      'with other content',
      { objects: { 4: stream('BT ET') } },
      ['critical', 'critical', 'critical'],
    ],
  ]
  test.each(rows)('%s', async (_, update, severities) => {
    for (const [index, expected] of severities.entries()) {
      const objects = certified(index + 1)
      const bytes = await signedFile({ objects, updates: [update].flat() })
      expect([index + 1, injectionOf(bytes)]).toEqual([index + 1, expected])
    }
  })

  test('may do without /P, and then forms are what may be filled in', async () => {
    const objects = {
      ...signedObjects(),
      9: signatureValue('/Reference [<< /TransformMethod /DocMDP >>]'),
    }
    expect(injectionOf(await signedFile({ objects, updates: [filled] }))).toBeNull()
    expect(injectionOf(await signedFile({ objects, updates: [note] }))).toBe('high')
  })

  test('keeps its certification', async () => {
    const catalog = '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /Metadata 40 0 R >>'
    const bytes = await signedFile({
      objects: certified(2),
      updates: [{ objects: { 1: catalog } }],
    })
    expect(injectionOf(bytes)).toBe('critical')
  })

  test('is bound by the strictest of its signatures', async () => {
    const second: PdfUpdate = {
      objects: {
        ...secondSignature.objects,
        50: signatureValue(
          '/Reference [<< /TransformMethod /DocMDP /TransformParams << /P 1 >> >>]',
        ),
      },
    }
    const objects = certified(3)
    expect(injectionOf(await signedFile({ objects, updates: [second] }))).toBeNull()
    expect(injectionOf(await signedFile({ objects, updates: [second, filled] }))).toBe('critical')
    expect(injectionOf(await signedFile({ objects, updates: [filled, second] }))).toBeNull()
  })

  test('of rights that a viewer gave is not restricted', async () => {
    const rights = signatureValue('/Reference [<< /TransformMethod /UR3 >>]')
    const objects = {
      ...signedObjects(),
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /Perms << /UR3 9 0 R >> >>',
      7: '<< /FT /Sig /T (Signature) >>',
      9: rights,
    }
    const update = { objects: { 4: stream('BT ET') } }
    expect(injectionOf(await signedFile({ objects, updates: [update] }))).not.toBe('critical')
  })
})

describe('locked fields', () => {
  const transform = (parameters: string): Objects => ({
    ...signedObjects(),
    9: signatureValue(
      `/Reference [<< /TransformMethod /FieldMDP /TransformParams << ${parameters} >> >>]`,
    ),
  })
  const lock = (parameters: string): Objects => ({
    ...signedObjects(),
    7: widget(`/FT /Sig /T (Signature) /V 9 0 R /Lock << ${parameters} >>`, '[72 100 272 150]', 20),
  })
  test.each([
    ['/Action /All', 'high'],
    ['/Action /Include /Fields [(Empty)]', 'high'],
    ['/Action /Include /Fields [(Filled)]', null],
    ['/Action /Exclude /Fields [(Empty)]', null],
    ['/Action /Exclude /Fields [(Filled)]', 'high'],
  ])('%s', async (parameters, expected) => {
    for (const objects of [transform(parameters), lock(parameters)])
      expect(injectionOf(await signedFile({ objects, updates: [filled] }))).toBe(expected)
  })

  test('include those below a field that is named', async () => {
    const objects: Objects = {
      ...transform('/Action /Include /Fields [(Group)]'),
      6: formWith('70 0 R'),
      70: '<< /T (Group) /Kids [71 0 R] >>',
      71: '<< /T (Inner) /FT /Tx /Parent 70 0 R >>',
    }
    const update = { objects: { 71: '<< /T (Inner) /FT /Tx /Parent 70 0 R /V (x) >>' } }
    expect(injectionOf(await signedFile({ objects, updates: [update] }))).toBe('high')
  })

  test('may come with permissions of their own', async () => {
    const objects = lock('/Action /Include /Fields [] /P 1')
    expect(injectionOf(await signedFile({ objects, updates: [filled] }))).toBe('critical')
  })

  test('leave an empty signature field to be signed unless they name it', async () => {
    const all = transform('/Action /All')
    expect(injectionOf(await signedFile({ objects: all, updates: [secondSignature] }))).toBeNull()
    const named = transform('/Action /Include /Fields [(Second)]')
    expect(injectionOf(await signedFile({ objects: named, updates: [secondSignature] }))).toBe(
      'high',
    )
  })
})

describe('something laid over signed text', () => {
  const white = appearance('1 1 1 rg 0 0 200 50 re f')
  const covering: [string, PdfUpdate][] = [
    ['a text box', annotationAt('/Subtype /FreeText /Contents (999)', onTheText)],
    ['a stamp', annotationAt('/Subtype /Stamp /AP << /N 58 0 R >>', onTheText, { 58: white })],
    ['a redaction', annotationAt('/Subtype /Redact', onTheText)],
    ['a watermark', annotationAt('/Subtype /Watermark', onTheText)],
    [
      'a filled square',
      annotationAt('/Subtype /Square /AP << /N 58 0 R >>', onTheText, { 58: white }),
    ],
    [
      'an opaque highlight',
      annotationAt('/Subtype /Highlight /AP << /N 58 0 R >>', onTheText, { 58: white }),
    ],
    ['a drawing that viewers make', annotationAt('/Subtype /Ink /InkList [[1 1 2 2]]', onTheText)],
    ['a signature field', signatureFieldAt(onTheText, white)],
  ]
  test.each(covering)('%s is shadow content', async (_, update) => {
    const bytes = await signedFile({ objects: certified(3), updates: [update] })
    expect(anomaliesOf(bytes)).toEqual(['SHADOW_CONTENT_DETECTED high'])
    expect(analysisOf(bytes).anomalies[0]?.location).toMatch(/, object 57 0, page 1$/)
  })

  const multiplied = appearance(
    '/Multiply gs 1 1 0 rg 0 0 200 50 re f',
    '/Resources << /ExtGState << /Multiply << /BM /Multiply >> >> >>',
  )
  const outlined = appearance('0 0 200 50 re S')
  const harmless: [string, PdfUpdate][] = [
    ['a text box beside it', annotationAt('/Subtype /FreeText /Contents (999)', besideTheText)],
    ['a note on it', annotationAt('/Subtype /Text /Contents (new)', onTheText)],
    ['a link on it', annotationAt('/Subtype /Link', onTheText)],
    [
      'an outline around it',
      annotationAt('/Subtype /Square /AP << /N 58 0 R >>', onTheText, { 58: outlined }),
    ],
    [
      'a highlight through which it is read',
      annotationAt('/Subtype /Highlight /AP << /N 58 0 R >>', onTheText, { 58: multiplied }),
    ],
    [
      'a hidden stamp',
      annotationAt('/Subtype /Stamp /F 2 /AP << /N 58 0 R >>', onTheText, { 58: white }),
    ],
    ['a signature field beside it', signatureFieldAt(besideTheText, white)],
    ['a signature field without a background', signatureFieldAt(onTheText, outlined)],
  ]
  test.each(harmless)('%s is not', async (_, update) => {
    expect(anomaliesOf(await signedFile({ objects: certified(3), updates: [update] }))).toEqual([])
  })

  test('is found where nothing is certified, too', async () => {
    const update = annotationAt('/Subtype /FreeText /Contents (999)', onTheText)
    expect(anomaliesOf(await signedFile({ updates: [update] }))).toEqual([
      'INCREMENTAL_UPDATE_INJECTION medium',
      'SHADOW_CONTENT_DETECTED high',
    ])
  })

  test('and taken away again shows what was under it', async () => {
    const objects: Objects = {
      ...certified(3),
      3: pageWith('57 0 R'),
      57: `<< /Type /Annot /Subtype /FreeText /Rect ${onTheText} /P 3 0 R >>`,
    }
    const bytes = await signedFile({ objects, updates: [{ objects: { 3: pageWith('') } }] })
    expect(anomaliesOf(bytes)).toEqual(['SHADOW_CONTENT_DETECTED critical'])
  })

  test('and moved away or emptied shows it as well', async () => {
    const textBox = (rectangle: string, entries = ''): string =>
      `<< /Type /Annot /Subtype /Square /Rect ${rectangle} /P 3 0 R ${entries} >>`
    const drawn = '/AP << /N 58 0 R >>'
    const base = { 3: pageWith('57 0 R'), 57: textBox(onTheText, drawn), 58: white }
    const updates = [
      { objects: { 57: textBox(besideTheText, drawn) } },
      { objects: { 58: appearance('') } },
      { objects: { 57: textBox(onTheText, `${drawn} /F 2`) } },
    ]
    for (const update of updates) {
      const objects: Objects = { ...certified(3), ...base }
      expect(anomaliesOf(await signedFile({ objects, updates: [update] }))).toEqual([
        'SHADOW_CONTENT_DETECTED critical',
      ])
      const uncertified: Objects = { ...signedObjects(), ...base }
      expect(anomaliesOf(await signedFile({ objects: uncertified, updates: [update] }))).toEqual([
        'INCREMENTAL_UPDATE_INJECTION critical',
        'SHADOW_CONTENT_DETECTED critical',
      ])
    }
  })

  test('by moving an annotation that was there', async () => {
    const stamp = (rectangle: string): string =>
      `<< /Type /Annot /Subtype /Stamp /Rect ${rectangle} /P 3 0 R >>`
    const objects: Objects = { ...certified(3), 3: pageWith('57 0 R'), 57: stamp(besideTheText) }
    const update = { objects: { 57: stamp(onTheText) } }
    expect(anomaliesOf(await signedFile({ objects, updates: [update] }))).toEqual([
      'SHADOW_CONTENT_DETECTED high',
    ])
  })
})

describe('the verdict on a signature', () => {
  const signer = makeSigner({ algorithm: 'ECDSA' })

  test('is invalid after a change that it does not permit', async () => {
    const changed = await verdicts({ updates: [{ objects: { 4: stream('BT ET') } }] })
    expect(changed).toEqual([['Signature', false, 'modified after signing']])
  })

  test('stays valid after one that it permits', async () => {
    expect(await verdicts({ updates: [filled] })).toEqual([['Signature', true, null]])
  })

  test('is each signature’s own: the later one signs what the earlier one forbids', async () => {
    const update = { objects: { ...secondSignature.objects, 4: stream('BT ET') } }
    expect(await verdicts({ updates: [update] })).toEqual([
      ['Signature', false, 'modified after signing'],
      ['Second', true, null],
    ])
  })

  async function verdicts(
    description: Parameters<typeof signedFile>[0],
  ): Promise<[string, boolean, string | null][]> {
    const bytes = await signedFile(description, (signed) => makeCms(signer, signed))
    const document = openedDocument(bytes, { signedPdfPolicy: 'preserve' })
    tamperDetection.run(document)
    await digitalSignatureDetection.run(document)
    return document.findings.security.signatureVerificationResults.map(
      ({ fieldName, valid, reason }) => [fieldName, valid, reason],
    )
  }
})

/** Number 57, on the page, with the objects that it refers to. */
function annotationAt(entries: string, rectangle: string, others: Objects = {}): PdfUpdate {
  return {
    objects: {
      3: pageWith('13 0 R 57 0 R'),
      57: `<< /Type /Annot ${entries} /Rect ${rectangle} /P 3 0 R >>`,
      ...others,
    },
  }
}

/** A new field 57 that is signed, with this appearance. */
function signatureFieldAt(rectangle: string, look: PdfBody): PdfUpdate {
  return {
    objects: {
      3: pageWith('13 0 R 57 0 R'),
      6: formWith('57 0 R'),
      50: signatureValue(),
      57: widget('/FT /Sig /T (Third) /V 50 0 R', rectangle, 58),
      58: look,
    },
  }
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

/** The severity of the one injection that there is. */
function injectionOf(bytes: Uint8Array): string | null {
  const found = analysisOf(bytes).anomalies.filter(
    ({ type }) => type === 'INCREMENTAL_UPDATE_INJECTION',
  )
  expect(found.length).toBeLessThanOrEqual(1)
  return found[0]?.severity ?? null
}
