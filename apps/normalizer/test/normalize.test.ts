import { createHash } from 'node:crypto'
import { pipelineStages } from '@pdfnorm/contracts/schema/pipeline-stage'
import { describe, expect, test } from 'vitest'
import { normalize } from '../src/normalize.ts'
import { defaultOptions } from '../src/options.ts'
import type { NormalizedOutcome, Outcome } from '../src/outcome.ts'
import { buildPdf, onePage } from './fixture/build-pdf.ts'

describe('an ordinary document', () => {
  test('is normalized by ten stages, each with its result', async () => {
    const original = buildPdf()

    const outcome = normalized(await normalize(original))

    expect(outcome.original).toEqual({ sha256: sha256(original), sizeBytes: original.length })
    expect(outcome.normalized).toMatchObject({
      sha256: sha256(outcome.output),
      sizeBytes: outcome.output.length,
      linearized: true,
    })
    expect(outcome.stages.map(({ stage, name }) => [stage, name])).toEqual(
      pipelineStages.map((name, stage) => [stage, name]),
    )
    expect(outcome.stages.map(({ result }) => result)).toEqual([
      'pdf_1_7',
      'clean',
      'clean',
      'none',
      'none',
      'no_forms',
      'normalized',
      'missing_1',
      'success',
      `sha256:${outcome.normalized.contentHash}`,
    ])
    expect(outcome.tamperAnalysis).toEqual({
      riskLevel: 'none',
      anomaliesDetected: 0,
      anomalies: [],
    })
    expect(outcome.stages[1]).toHaveProperty('findings', [])
  })

  test('has the content hash of its text', async () => {
    const outcome = normalized(await normalize(buildPdf({ objects: onePage('Hello') })))

    expect(outcome.normalized.contentHash).toBe(sha256(Buffer.from('Hello')))
  })

  test.for([
    { options: {} },
    { options: { linearize: false } },
    { options: { removeAnnotations: true } },
    { options: { pdfaPolicy: 'normalize_anyway' as const } },
  ])(
    'gives the same bytes each time, and again when it is normalized again: $options',
    async ({ options }) => {
      const chosen = { ...defaultOptions, ...options }
      const original = buildPdf({ crossReference: 'stream', compressed: [1, 2] })

      const first = normalized(await normalize(original, chosen))
      const second = normalized(await normalize(original, chosen))
      const again = normalized(await normalize(first.output, chosen))

      expect(second.normalized).toEqual(first.normalized)
      expect(again.normalized).toEqual(first.normalized)
      expect(first.normalized.linearized).toBe(chosen.linearize)
    },
  )
})

test('what is added to a document is never what a dangling reference was meant for', async () => {
  const objects = {
    ...onePage(),
    3:
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R] >>',
    // The next free numbers are those that the new Info and XMP could take.
    6: '<< /Type /Annot /Subtype /Popup /Rect [0 0 9 9] /Parent 7 0 R /Old 8 0 R /Open [9 0 R] >>',
  }

  const first = normalized(await normalize(buildPdf({ objects })))
  const again = normalized(await normalize(first.output))

  expect(again.normalized.sha256).toBe(first.normalized.sha256)
  expect(first.validation.brokenReferencesDetected).toBe(true)
  expect(again.validation.brokenReferencesDetected).toBe(false)
})

describe('a document that is not carried on', () => {
  test('is rejected when it is encrypted, before any stage', async () => {
    const original = buildPdf({
      trailer: '/Encrypt << /Filter /Standard /V 1 /R 2 /O <00> /U <00> /P -4 >>',
    })

    const outcome = await normalize(original)

    expect(outcome).toMatchObject({
      kind: 'rejected',
      failure: { code: 'ENCRYPTED_PDF', stage: null },
      security: { encryptedInput: true },
      tamperAnalysis: null,
    })
    expect(new Set(outcome.stages.map(({ result }) => result))).toEqual(new Set(['skipped']))
  })

  test('is rejected when its major version is neither 1 nor 2', async () => {
    const outcome = await normalize(buildPdf({ version: '3.0' }))

    expect(outcome).toMatchObject({
      kind: 'rejected',
      failure: { code: 'UNSUPPORTED_PDF_VERSION', stage: null },
    })
  })

  test.for([
    ['nothing', ''],
    ['a text', 'These are not the bytes of a PDF.'],
    ['a header alone', '%PDF-1.7\n'],
    ['a picture', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ] as const)('fails as malformed when it is %s', async ([, content]) => {
    const outcome = await normalize(new Uint8Array(Buffer.from(content, 'latin1')))

    expect(outcome).toMatchObject({
      kind: 'failed',
      failure: { code: 'MALFORMED_PDF', stage: 'StructuralRepair' },
    })
    expect(outcome.stages[2]).toMatchObject({ result: 'failed' })
    expect(outcome.stages[9]).toMatchObject({ result: 'skipped' })
  })
})

function normalized(outcome: Outcome): NormalizedOutcome {
  if (outcome.kind !== 'normalized') throw new Error(JSON.stringify(outcome.failure))
  return outcome
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
