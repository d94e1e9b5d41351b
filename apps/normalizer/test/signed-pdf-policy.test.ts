import { expect, test } from 'vitest'
import { normalize } from '../src/normalize.ts'
import { defaultOptions, type NormalizeOptions } from '../src/options.ts'
import type { NormalizedOutcome } from '../src/outcome.ts'
import { everythingIn } from './fixture/cleaned.ts'
import { streamBody } from './fixture/classic-pdf.ts'
import { signedPdf, withSecondSignature } from './fixture/signed-pdf.ts'
import { makeCms, makeSigner, makeTimestamp } from './fixture/signer.ts'

const ada = makeSigner()
const stamper = makeSigner({ timeStamping: true })

/** Signed with a picture of the signature, certified, with validation data and a document time-stamp. */
const archived = await withSecondSignature(
  await signedPdf((bytes) => makeCms(ada, bytes), {
    widget: '/Rect [10 10 110 60] /F 4 /AP << /N 8 0 R >>',
    objects: [
      [8, streamBody('/Type /XObject /Subtype /Form /BBox [0 0 100 50]', '1 0 0 rg 7 7 70 7 re f')],
    ],
  }),
  (bytes) => makeTimestamp(stamper, bytes, new Date('2026-03-01T00:00:00Z')),
  {
    subFilter: 'ETSI.RFC3161',
    catalog: '/Perms << /DocMDP 5 0 R >> /DSS << /Certs [9 0 R] >>',
    objects: [[9, streamBody('', 'CERTIFICATE')]],
  },
)

test('strip takes signatures, permissions and validation data out of the bytes and leaves their pictures', async () => {
  const { security, warnings, output } = await normalized(archived, 'strip')
  expect(security).toMatchObject({
    digitalSignaturesDetected: true,
    digitalSignaturesRemoved: true,
    acroformFlattened: true,
    signatureCount: 2,
    overallSignatureStatus: 'ALL_VALID',
  })
  expect(warnings.map(({ code }) => code)).toContain('SIGNATURES_REMOVED')

  const left = everythingIn(output)
  for (const gone of ['/ByteRange', '/Perms', '/DSS', '/SigFlags', '/AcroForm', 'CERTIFICATE']) {
    expect.soft(left, gone).not.toContain(gone)
  }
  expect(left).toContain('7 7 70 7 re')
})

test('what strip made is signed no more, and is the same when it comes again', async () => {
  const once = await normalized(archived, 'strip')
  const twice = await normalized(once.output, 'reject')
  expect(Buffer.compare(twice.output, once.output)).toBe(0)
  expect(twice.security).toMatchObject({ signatureCount: 0, digitalSignaturesRemoved: false })
  expect(twice.tamperAnalysis.anomalies).toEqual([])
})

test('preserve gives the original back, with all that was found and nothing said to be removed', async () => {
  const {
    security,
    warnings,
    output,
    normalized: file,
    stages,
  } = await normalized(archived, 'preserve')
  expect(Buffer.compare(output, archived)).toBe(0)
  expect(file.linearized).toBe(false)
  expect(security.overallSignatureStatus).toBe('ALL_VALID')
  const removals = Object.entries(security).filter(([key]) => /Removed|Flattened/.test(key))
  expect(removals.filter(([, value]) => value === true)).toEqual([])
  expect(warnings.map(({ code }) => code)).toContain('SIGNED_CONTENT_PRESERVED')
  expect(stages[3]?.result).toBe('preserved')
})

test('reject refuses a signed document, and neither an empty field nor usage rights', async () => {
  const refused = await normalize(archived, defaultOptions)
  expect(refused).toMatchObject({
    kind: 'rejected',
    failure: { code: 'POLICY_REJECTION', stage: 'DigitalSignatureDetection' },
    security: { signatureCount: 2, overallSignatureStatus: 'ALL_VALID' },
  })

  const rights = await signedPdf((bytes) => makeCms(ada, bytes), {
    catalog: '/Perms << /UR3 5 0 R >>',
  })
  const text = Buffer.from(rights).toString('latin1')
  const empty = Buffer.from(text.replace('/V 5 0 R', '        '), 'latin1')
  const { security, output } = await normalized(empty, 'reject')
  expect(security).toMatchObject({ signatureCount: 0, digitalSignaturesRemoved: false })
  expect(everythingIn(output)).not.toContain('/ByteRange')
})

async function normalized(
  bytes: Uint8Array,
  signedPdfPolicy: NormalizeOptions['signedPdfPolicy'],
): Promise<NormalizedOutcome> {
  const outcome = await normalize(bytes, { ...defaultOptions, signedPdfPolicy })
  if (outcome.kind !== 'normalized') throw new Error(outcome.failure.message)
  return outcome
}
