import { createHash, sign as signBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { documentCatalog } from '../src/pdf/catalog.ts'
import { PdfDictionary } from '../src/pdf/object.ts'
import { digitalSignatureDetection } from '../src/stages/3-digital-signature-detection.ts'
import type { DocumentInProgress } from '../src/stage.ts'
import { openedDocument } from './fixture/document.ts'
import { classicPdf, withUpdate } from './fixture/classic-pdf.ts'
import { der, octets } from './fixture/der.ts'
import { signedPdf, type SignedPdfOptions, withSecondSignature } from './fixture/signed-pdf.ts'
import {
  attribute,
  type CmsOptions,
  makeCms,
  makeSigner,
  makeTimestamp,
  oids,
  type Signer,
} from './fixture/signer.ts'

let ada: Signer
let authority: Signer

beforeAll(() => {
  ada = makeSigner()
  authority = makeSigner({ algorithm: 'ECDSA', timeStamping: true })
})

describe('a valid signature', () => {
  test('is reported with its signer, its time and no reason', async () => {
    const bytes = await signedBy(ada, { signingTime: new Date('2026-05-01T10:00:00Z') })
    expect(await verified(bytes)).toEqual([
      {
        fieldName: 'Sig1',
        signerName: 'CN=Ada Signer,O=Müller\\, Söhne',
        signedAt: '2026-05-01T10:00:00.000Z',
        valid: true,
        certificateExpired: false,
        certificateChainTrusted: null,
        timestampPresent: false,
        timestampValid: null,
        reason: null,
      },
    ])
  })

  test('may cover white space behind the end of its revision', async () => {
    const bytes = await signedBy(ada, {}, { after: '\n \r\n' })
    expect(await reasons(bytes)).toEqual([null])
    expect(await reasons(withUpdate(bytes, [[9, '<< /Unused true >>']]))).toEqual([null])
    const more = await signedBy(ada, {}, { after: 'more' })
    expect(await reasons(withUpdate(more, [[9, '<< /Unused true >>']]))).toEqual([
      'byte range invalid',
    ])
  })

  test('may have its brackets inside the signed bytes', async () => {
    const bytes = await signedBy(ada, {}, { bracketsSigned: true })
    expect(await verified(bytes)).toMatchObject([{ valid: true }])
  })

  test('takes its time from /M when it states none itself', async () => {
    const bytes = await signedBy(ada, {}, { entries: "/M (D:20260102030405+02'00)" })
    expect(await verified(bytes)).toMatchObject([{ signedAt: '2026-01-02T01:04:05.000Z' }])
  })

  test.each([
    ['in another zone', '260501120000+0200', '2026-05-01T10:00:00.000Z'],
    ['without seconds', '2605011000Z', '2026-05-01T10:00:00.000Z'],
    ['that is none', '261301100000Z', null],
  ])('may state a time %s', async (_, time, signedAt) => {
    const stated = attribute(oids.signingTime, der(0x17, Buffer.from(time)))
    const bytes = await signedBy(ada, { signedAttributes: [stated] })
    expect(await verified(bytes)).toMatchObject([{ valid: true, signedAt }])
  })

  test('may be of the kind that signs a SHA-1 digest inside, which is weak', async () => {
    const document = await detected(
      await signedPdf(
        (signed) => makeCms(ada, signed, { content: createHash('sha1').update(signed).digest() }),
        { subFilter: 'adbe.pkcs7.sha1' },
      ),
    )
    expect(document.findings.security.overallSignatureStatus).toBe('ALL_VALID')
    expect(codes(document)).toContain('WEAK_SIGNATURE_ALGORITHM')
  })

  test.each(['sha1', 'sha256', 'ripemd160'])(
    'may be a bare RSA value over %s with its certificate in the dictionary',
    async (digest) => {
      const certificate = Buffer.from(ada.certificate).toString('hex')
      const bytes = await signedPdf((signed) => octets(signBytes(digest, signed, ada.privateKey)), {
        subFilter: 'adbe.x509.rsa_sha1',
        entries: `/Cert [<${certificate}> <00>]`,
      })
      expect(await verified(bytes)).toMatchObject([
        { valid: true, signerName: 'CN=Ada Signer,O=Müller\\, Söhne' },
      ])
    },
  )

  test('is named after its object when the field has no name', async () => {
    const bytes = await signedBy(ada, {}, { fieldName: null })
    expect(await verified(bytes)).toMatchObject([{ fieldName: 'Signature4' }])
  })
})

describe('a signature that does not hold', () => {
  test('says that the digest differs when a signed byte was changed', async () => {
    const bytes = changed(await signedBy(ada), '[0 0 200 200]', '[0 0 200 201]')
    const document = await detected(bytes)
    expect(document.findings.security).toMatchObject({
      overallSignatureStatus: 'SOME_INVALID',
      signatureVerificationResults: [{ valid: false, reason: 'digest mismatch' }],
    })
    expect(codes(document)).toContain('SIGNATURE_INVALID')
  })

  test('says so when the signature value is another one', async () => {
    const other = makeSigner()
    const forged = { ...ada, privateKey: other.privateKey }
    expect(await reasons(await signedBy(forged))).toEqual(['signature value does not verify'])
  })

  test('says that there is no certificate when there is none', async () => {
    const bytes = await signedBy(ada, { withoutCertificate: true })
    expect(await verified(bytes)).toMatchObject([
      { valid: false, signerName: null, reason: 'no signer certificate' },
    ])
  })

  test('is malformed when the structure is, or when data follows it', async () => {
    expect(await reasons(await signedPdf(() => Buffer.from('hello')))).toEqual(['cms malformed'])
    const followed = await signedPdf((signed) =>
      Buffer.concat([makeCms(ada, signed), Buffer.from([0, 0, 7])]),
    )
    expect(await reasons(followed)).toEqual(['cms malformed'])
  })

  test('may not sign content of its own in place of the file', async () => {
    const bytes = await signedBy(ada, { content: Buffer.from('something else') })
    expect(await reasons(bytes)).toEqual(['cms malformed'])
  })

  test('has an invalid byte range when that reaches past the end of the file', async () => {
    const bytes = await signedBy(ada)
    expect(await reasons(bytes.subarray(0, bytes.length - 1))).toEqual(['byte range invalid'])
  })

  test('has an invalid byte range when that leaves signed bytes uncovered before the end of the revision', async () => {
    const bytes = await signedBy(ada)
    const text = Buffer.from(bytes).toString('latin1')
    const length = Number(/\/ByteRange \[0 \d+ \d+ (\d+)\]/.exec(text)?.[1])
    expect(await reasons(changed(bytes, `${length}]`, `${length - 20}]`))).toEqual([
      'byte range invalid',
    ])
  })

  test('does not match a gap that is wider than its contents', async () => {
    const bytes = await signedBy(ada)
    const text = Buffer.from(bytes).toString('latin1')
    const [, start] = /\/ByteRange \[0 (\d+) /.exec(text) ?? []
    expect(await reasons(changed(bytes, `[0 ${start} `, `[0 ${Number(start) - 10} `))).toEqual([
      'contents do not match byte range',
    ])
  })

  test('is not valid for a copy of its dictionary with another reason that a later revision brings', async () => {
    const bytes = await signedBy(ada, {}, { entries: '/Reason (read)' })
    const dictionary = /5 0 obj\n(<<.*?>>)\nendobj/s.exec(
      Buffer.from(bytes).toString('latin1'),
    )?.[1]
    const copied = withUpdate(bytes, [[5, (dictionary ?? '').replace('(read)', '(paid)')]])
    expect(await reasons(copied)).toEqual(['contents do not match byte range'])
  })

  test('is unsupported when it relies on MD5', async () => {
    const sha256 = Buffer.from('300d06096086480165030402010500', 'hex')
    // Of the same length: the identifier is a byte shorter, so its parameter is a byte longer.
    const md5 = Buffer.from('300d06082a864886f70d0205050100', 'hex')
    const bytes = await signedPdf((signed) => {
      const cms = Buffer.from(makeCms(ada, signed))
      md5.copy(cms, cms.lastIndexOf(sha256))
      return cms
    })
    expect(await reasons(bytes)).toEqual(['unsupported algorithm 1.2.840.113549.2.5'])
  })
})

describe('time', () => {
  const genTime = new Date('2026-03-01T00:00:00Z')

  test('comes from a valid time-stamp, at which the certificate is judged', async () => {
    const expired = makeSigner({ notAfter: new Date('2026-04-01T00:00:00Z') })
    const stamped = await signedBy(expired, { timestamp: { signer: authority, genTime } })
    expect(await verified(stamped)).toMatchObject([
      {
        signedAt: '2026-03-01T00:00:00.000Z',
        certificateExpired: false,
        timestampPresent: true,
        timestampValid: true,
      },
    ])
    expect(await verified(await signedBy(expired))).toMatchObject([
      { valid: true, certificateExpired: true, timestampPresent: false },
    ])
  })

  test('does not come from a time-stamp over something else', async () => {
    const timestamp = { signer: authority, genTime, overOtherBytes: true }
    expect(await verified(await signedBy(ada, { timestamp }))).toMatchObject([
      { valid: true, signedAt: null, timestampPresent: true, timestampValid: false },
    ])
  })

  test('does not come from a time-stamp whose signer is no time-stamping authority', async () => {
    const timestamp = { signer: ada, genTime }
    expect(await verified(await signedBy(ada, { timestamp }))).toMatchObject([
      { signedAt: null, timestampPresent: true, timestampValid: false },
    ])
  })

  test('is not stamped by a document time-stamp that is none, or of which a part is not signed', async () => {
    const malformed = await signedPdf(() => Buffer.from('no token'), { subFilter: 'ETSI.RFC3161' })
    const stamped = await signedPdf((signed) => makeTimestamp(authority, signed, genTime), {
      subFilter: 'ETSI.RFC3161',
    })
    const [, start] = /\/ByteRange \[0 (\d+) /.exec(Buffer.from(stamped).toString('latin1')) ?? []
    const moved = changed(stamped, `[0 ${start} `, `[0 ${Number(start) - 10} `)
    for (const bytes of [malformed, moved]) {
      expect(await verified(bytes)).toMatchObject([
        { valid: false, timestampPresent: true, timestampValid: false },
      ])
    }
  })

  test('is stamped on an earlier signature by a later document time-stamp', async () => {
    const bytes = await withSecondSignature(
      await signedBy(ada),
      (signed) => makeTimestamp(authority, signed, genTime),
      { subFilter: 'ETSI.RFC3161' },
    )
    expect(await verified(bytes)).toMatchObject([
      { fieldName: 'Sig1', valid: true, timestampPresent: true, timestampValid: true },
      {
        fieldName: 'Sig2',
        valid: true,
        signedAt: '2026-03-01T00:00:00.000Z',
        timestampValid: true,
      },
    ])
  })
})

describe('what counts as a signature', () => {
  test('not an empty field and not usage rights', async () => {
    const bytes = await signedBy(ada, {}, { catalog: '/Perms << /UR3 5 0 R >>' })
    const emptied = changed(bytes, '/V 5 0 R', '        ')
    const document = await detected(emptied, 'reject')
    expect(document.findings.security).toMatchObject({
      digitalSignaturesDetected: false,
      signatureCount: 0,
      overallSignatureStatus: 'NONE',
    })
    expect(documentCatalog(document.file.graph).has('Perms')).toBe(false)
  })

  test('also what a field holds, whatever the permissions of the document call it', async () => {
    const bytes = await signedBy(ada, {}, { catalog: '/Perms << /UR3 5 0 R >>' })
    expect(await verified(bytes)).toMatchObject([{ fieldName: 'Sig1', valid: true }])
  })

  test('also a signature dictionary that no field refers to', async () => {
    const bytes = changed(await signedBy(ada), '/V 5 0 R', '        ')
    const document = await detected(bytes)
    expect(document.findings.security.signatureCount).toBe(1)
    expect(document.findings.security.signatureVerificationResults).toMatchObject([
      { fieldName: 'Signature5' },
    ])
  })

  test('both of two, and an update after them does not break what they sign', async () => {
    const twice = await withSecondSignature(await signedBy(ada), (signed) => makeCms(ada, signed))
    const updated = withUpdate(twice, [[9, '<< /Unused true >>']])
    expect(await verified(updated)).toMatchObject([{ valid: true }, { valid: true }])
  })
})

describe('the policy for signed documents', () => {
  test('rejects by default, with what was found', async () => {
    const document = openedDocument(await signedBy(ada))
    await expect(digitalSignatureDetection.run(document)).rejects.toMatchObject({
      code: 'POLICY_REJECTION',
    })
    expect(document.findings.security.signatureCount).toBe(1)
  })

  test('strips values, flags, permissions and validation material, and keeps the field', async () => {
    const bytes = await signedBy(ada, {}, { catalog: '/Perms << /DocMDP 5 0 R >> /DSS << >>' })
    const document = openedDocument(bytes, { signedPdfPolicy: 'strip' })
    expect(await digitalSignatureDetection.run(document)).toBe('stripped')

    const { graph } = document.file
    const catalog = documentCatalog(graph)
    expect(catalog.has('Perms') || catalog.has('DSS')).toBe(false)
    const form = graph.resolve(catalog.get('AcroForm'))
    expect(form).toBeInstanceOf(PdfDictionary)
    expect(form instanceof PdfDictionary && form.has('SigFlags')).toBe(false)
    const field = graph.get(4)
    expect(field instanceof PdfDictionary && [field.has('FT'), field.has('V')]).toEqual([
      true,
      false,
    ])
    expect(document.findings.security.digitalSignaturesRemoved).toBe(true)
    expect(codes(document)).toEqual(['SIGNATURES_REMOVED'])
  })

  test('strips a signature that no field holds, wherever the document refers to it', async () => {
    const bytes = changed(
      changed(await signedBy(ada, {}, { catalog: '/Extra [5 0 R]' }), '/V 5 0 R', '        '),
      '/SigFlags 3',
      '           ',
    )
    const document = openedDocument(bytes, { signedPdfPolicy: 'strip' })
    expect(await digitalSignatureDetection.run(document)).toBe('stripped')

    const { graph } = document.file
    expect(graph.get(5)).toBe(null)
    expect(documentCatalog(graph).get('Extra')).toEqual([])
  })

  test('preserves without touching anything', async () => {
    const document = await detected(await signedBy(ada))
    const field = document.file.graph.get(4)
    expect(field instanceof PdfDictionary && field.has('V')).toBe(true)
    expect(document.findings.security.digitalSignaturesRemoved).toBe(false)
    expect(codes(document)).toEqual(['SIGNED_CONTENT_PRESERVED'])
  })

  test('preserves and tells of a form that the signature leaves open', async () => {
    const form = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /Rect [0 0 9 9] >>'
    const bytes = await signedBy(ada)
    expect((await detected(bytes)).findings.warnings).toHaveLength(1)

    const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [4 0 R 8 0 R] >>'
    const filled = await detected(
      withUpdate(bytes, [
        [3, page],
        [8, form],
      ]),
    )
    expect(filled.findings.warnings).toContainEqual({
      code: 'SIGNED_CONTENT_PRESERVED',
      message: 'The signed document still holds an interactive form.',
    })
  })
})

describe('a document made to do harm', () => {
  test.each([
    ['two numbers', '[0 100]'],
    ['negative numbers', '[0 -1 5 5]'],
    ['numbers beyond all files', '[0 10 99999999999999999999 5]'],
    ['a gap that ends before it begins', '[0 900 100 5]'],
    ['names', '[/A /B /C /D]'],
    ['itself', '5 0 R'],
    ['nothing', 'null'],
  ])('has a verdict where the byte range holds %s', async (_, range) => {
    const bytes = await signedBy(ada)
    const [stated] = /\/ByteRange \[[^\]]*\] */.exec(Buffer.from(bytes).toString('latin1')) ?? []
    const odd = changed(bytes, stated ?? '', `/ByteRange ${range}`)
    expect(await verified(odd)).toMatchObject([{ valid: false, reason: 'byte range invalid' }])
  })

  test.each([
    ['a literal string', '(abc)'],
    ['a reference to itself', '5 0 R'],
    ['an array', '[<00>]'],
    ['nothing', 'null'],
  ])('has a verdict where the contents are %s', async (_, contents) => {
    const bytes = await signedBy(ada)
    const [stated] = /\/Contents <[^>]*>/.exec(Buffer.from(bytes).toString('latin1')) ?? []
    const odd = changed(bytes, stated ?? '', `/Contents ${contents}`)
    expect(await verified(odd)).toMatchObject([
      { valid: false, reason: 'contents do not match byte range' },
    ])
  })

  test('has a verdict where signature fields refer to each other, to themselves or to nothing', async () => {
    const bytes = await signedBy(ada, {}, { entries: '/V 5 0 R /Parent 5 0 R /Cert 5 0 R' })
    const looped = withUpdate(bytes, [
      [4, '<< /FT /Sig /T (Loop) /V 5 0 R /Kids [4 0 R 6 0 R 7 0 R] /Parent 6 0 R >>'],
      [6, '<< /T (Again) /Kids [4 0 R 6 0 R] /V 6 0 R >>'],
      [7, '[7 0 R]'],
    ])
    expect((await verified(looped)).every(({ reason, valid }) => valid || reason)).toBe(true)
  })

  test('has a verdict on each of thousands of signatures', async () => {
    const count = 3000
    const fields = Array.from({ length: count }, (_, index) => 10 + index)
    const value = '<< /Type /Sig /ByteRange [0 10 20 30] /Contents <3000> >>'
    const bytes = classicPdf([
      [
        1,
        `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${fields.map((n) => `${n} 0 R`).join(' ')}] >> >>`,
      ],
      [2, '<< /Type /Pages /Count 0 /Kids [] >>'],
      ...fields.map((n): [number, string] => [n, `<< /FT /Sig /T (S${n}) /V ${value} >>`]),
    ])
    const found = await verified(bytes)
    expect(found).toHaveLength(count)
    expect(found.every(({ valid, reason }) => !valid && reason !== null)).toBe(true)
    expect(found.at(-1)?.reason).toBe('not verified: the document has too many signatures')
  })
})

function signedBy(
  signer: Signer,
  cms: CmsOptions = {},
  pdf: SignedPdfOptions = {},
): Promise<Uint8Array> {
  return signedPdf((signed) => makeCms(signer, signed, cms), pdf)
}

async function detected(
  bytes: Uint8Array,
  signedPdfPolicy: 'preserve' | 'reject' = 'preserve',
): Promise<DocumentInProgress> {
  const document = openedDocument(bytes, { signedPdfPolicy })
  await digitalSignatureDetection.run(document)
  return document
}

async function verified(bytes: Uint8Array) {
  return (await detected(bytes)).findings.security.signatureVerificationResults
}

async function reasons(bytes: Uint8Array): Promise<(string | null)[]> {
  return (await verified(bytes)).map(({ reason }) => reason)
}

function codes({ findings }: DocumentInProgress): string[] {
  return findings.warnings.map(({ code }) => code)
}

/** The same length before and after, so that no offset moves. */
function changed(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  if (!text.includes(from)) throw new Error(`${from} does not occur`)
  return Buffer.from(text.replace(from, to.padEnd(from.length)), 'latin1')
}
