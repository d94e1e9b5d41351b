import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { normalize } from '../src/normalize.ts'
import { defaultOptions, type NormalizeOptions } from '../src/options.ts'
import type { NormalizedOutcome } from '../src/outcome.ts'
import { catalogXmp } from '../src/pdf/catalog.ts'
import { pdfaClaim } from '../src/pdf/metadata/pdfa-claim.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { flavours } from '../src/pdfa/flavour.ts'
import { validatePdfa } from '../src/pdfa/validate-pdfa.ts'
import { pdfaDocument } from './fixture/pdfa-document.ts'

/** Every one but that which needs the files that are taken out. */
const keepable = flavours.filter((flavour) => flavour !== '4f')

describe('what complies and claims it', () => {
  test.for(
    keepable.flatMap((flavour) => [
      { flavour, linearize: true },
      { flavour, linearize: false },
    ]),
  )('still does afterwards: $flavour, linearized: $linearize', async ({ flavour, linearize }) => {
    const outcome = await normalized(pdfaDocument(flavour), { linearize })
    expect(outcome.validation).toMatchObject({
      pdfaDeclared: true,
      pdfaLevel: flavour,
      pdfaPreserved: true,
      pdfaCompliant: true,
      pdfaValidatorValidated: true,
      pdfaValidatorErrors: [],
    })
    expect(claimOf(outcome)).toBe(flavour)
    expect(pdfaWarnings(outcome)).toEqual([])
    expect(outcome.healthScore).toBe(100)
    expect(validatePdfa(readPdf(outcome.output), flavour).errors).toEqual([])
  })

  test('also keeps the claim under normalize_anyway, for it is true', async () => {
    const outcome = await normalized(pdfaDocument('2b'), { pdfaPolicy: 'normalize_anyway' })
    expect(claimOf(outcome)).toBe('2b')
    expect(outcome.validation).toMatchObject({ pdfaPreserved: true, pdfaCompliant: true })
    expect(pdfaWarnings(outcome)).toEqual([])
  })

  test('loses the claim with the files that its level requires', async () => {
    const outcome = await normalized(pdfaDocument('4f'))
    expect(claimOf(outcome)).toBeNull()
    expect(outcome.security.embeddedFilesRemoved).toBe(true)
    expect(outcome.validation).toMatchObject({
      pdfaLevel: '4f',
      pdfaPreserved: false,
      pdfaCompliant: false,
    })
    expect(pdfaWarnings(outcome)).toEqual(['PDFA_CLAIM_DROPPED'])
  })
})

describe('a claim that is false', () => {
  const claimed = pdfaDocument('2b', {
    page: { Annots: '[<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] >>]' },
  })

  test('stays under preserve, and a warning says that it does not hold', async () => {
    const outcome = await normalized(claimed)
    expect(claimOf(outcome)).toBe('2b')
    expect(outcome.validation).toMatchObject({
      pdfaPreserved: true,
      pdfaCompliant: false,
      pdfaValidatorValidated: true,
    })
    expect(outcome.validation.pdfaValidatorErrors[0]).toMatch(/^ISO 19005-2:2011 6\.3\.2 t1: /)
    expect(pdfaWarnings(outcome)).toEqual(['PDFA_NOT_COMPLIANT'])
    expect(outcome.healthScore).toBe(92)
  })

  test('goes under normalize_anyway, and a warning says why', async () => {
    const outcome = await normalized(claimed, { pdfaPolicy: 'normalize_anyway' })
    expect(claimOf(outcome)).toBeNull()
    expect(outcome.validation).toMatchObject({ pdfaPreserved: false, pdfaCompliant: false })
    expect(pdfaWarnings(outcome)).toEqual(['PDFA_CLAIM_DROPPED'])
    expect(outcome.warnings[0]?.message).toContain('6.3.2 t1')
    expect(outcome.healthScore).toBe(92)
  })

  test('is mended where only its spelling is wrong', async () => {
    const small = pdfaDocument('2b', { xmp: (packet) => packet.replace('>B<', '> b <') })
    const outcome = await normalized(small)
    expect(outcome.validation).toMatchObject({ pdfaLevel: '2b', pdfaPreserved: true })
    expect(Buffer.from(outcome.output).includes('<pdfaid:conformance>B<')).toBe(true)

    const long = pdfaDocument('2b', { xmp: (packet) => packet.replace('>2<', '> 2.0 <') })
    const { validation } = await normalized(long)
    expect(validation).toMatchObject({ pdfaLevel: '2b', pdfaCompliant: true })
  })

  test('becomes true when what was wrong is mended on the way', async () => {
    const script = pdfaDocument('2b', {
      catalog: { OpenAction: '<< /S /JavaScript /JS (app.alert(1)) >>' },
    })
    const outcome = await normalized(script, { pdfaPolicy: 'normalize_anyway' })
    expect(claimOf(outcome)).toBe('2b')
    expect(outcome.validation).toMatchObject({ pdfaCompliant: true, pdfaValidatorErrors: [] })
    expect(outcome.healthScore).toBeLessThan(92)
  })

  test('is mended where its stream says that its data lies in another file', async () => {
    const outcome = await normalized(pdfaDocument('2b', { metadata: { F: '(other.xml)' } }))
    expect(claimOf(outcome)).toBe('2b')
    expect(outcome.validation).toMatchObject({ pdfaPreserved: true, pdfaCompliant: true })
  })

  test.for(['preserve', 'normalize_anyway'] as const)(
    'leaves bytes that stay the same when they are normalized again: %s',
    async (pdfaPolicy) => {
      for (const bytes of [
        claimed,
        pdfaDocument('1b', { trailer: { ID: null } }),
        pdfaDocument('4f'),
      ]) {
        const once = await normalized(bytes, { pdfaPolicy })
        const again = await normalized(once.output, { pdfaPolicy })
        expect(sha256(again.output)).toBe(sha256(once.output))
        expect(again.security.embeddedFilesRemoved).toBe(false)
      }
    },
  )
})

test('a document without a claim is held against nothing', async () => {
  const unclaimed = pdfaDocument('2b', { xmp: (packet) => packet.replace(/<pdfaid:.*>/g, '') })
  const outcome = await normalized(unclaimed)
  expect(outcome.validation).toMatchObject({
    pdfaDeclared: false,
    pdfaLevel: null,
    pdfaPreserved: false,
    pdfaCompliant: false,
    pdfaValidatorValidated: null,
    pdfaValidatorErrors: [],
  })
  expect(outcome.pdfaValidatorEngine).toBeNull()
})

async function normalized(
  bytes: Uint8Array,
  options: Partial<NormalizeOptions> = {},
): Promise<NormalizedOutcome> {
  const outcome = await normalize(bytes, { ...defaultOptions, ...options })
  if (outcome.kind !== 'normalized') throw new Error(`${outcome.kind}: ${outcome.failure.message}`)
  return outcome
}

/** What the output claims, read from its bytes. */
function claimOf({ output }: NormalizedOutcome): string | null {
  return pdfaClaim(catalogXmp(readPdf(output).graph) ?? [])?.level ?? null
}

function pdfaWarnings({ warnings }: NormalizedOutcome): string[] {
  return warnings.map(({ code }) => code).filter((code) => code.startsWith('PDFA_'))
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
