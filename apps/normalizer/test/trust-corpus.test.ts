import { describe, expect, test, vi } from 'vitest'
import { fontResourceValidation } from '../src/stages/7-font-resource-validation.ts'
import { pdfaDetection } from '../src/stages/0-pdfa-detection.ts'
import { digitalSignatureDetection } from '../src/stages/3-digital-signature-detection.ts'
import { corpusFiles, type CorpusFile, readCorpusFile, withoutCorpus } from './corpus-files.ts'
import { openedDocument } from './fixture/document.ts'

// Each test goes through dozens of files, and a busy machine takes its time over them.
vi.setConfig({ testTimeout: 30_000 })

interface KnownFile extends CorpusFile {
  readonly signatures?: { readonly count: number | null; readonly integrity: string | null }
  readonly fonts_not_embedded?: readonly string[] | null
  readonly pdfa?: { readonly flavour: string | null; readonly corpus_verdict: string | null }
}

const knownFiles = (corpusFiles as readonly KnownFile[]).filter(
  ({ category, encrypted, opens_in_qpdf }) =>
    category !== 'bombs-hang-risks' &&
    category !== 'large' &&
    !encrypted &&
    opens_in_qpdf !== false,
)

/**
 * Intact by their cryptography and invalid all the same: tricks with the byte range (trust, 2.6), and changes after
 * signing that the signatures forbid, in the last one of a field that is locked.
 */
const fooling = [
  'pades-spoofing-replaced-reason',
  'pdf-spoofing-attack',
  'siwa',
  'tail-uncovered',
  'signature-gap-too-big',
  'one-byterange',
  'weird-byterange',
  'hide',
  'replace',
  'form-update-override-appearance-stream-sneaky',
  'form-update-ap-indirect-sneaky-trailer',
  'form-update-override-appearance-stream-ap-indirect-sneaky',
  'form-update-no-override-appearance-stream-ap-indirect-sneaky',
  'test-with-vri',
]
/** Usage rights, which the corpus counts as signatures. */
const usageRights = ['prefilled_f1040', 'with_xfa_fields']

describe(`files of the world${withoutCorpus}`, () => {
  const signed = knownFiles.filter(({ signatures }) => signatures?.integrity === 'valid')
  const forged = knownFiles.filter(({ signatures }) => signatures?.integrity === 'invalid')

  test.runIf(signed.length > 0)('keep the verdict on their signatures', async () => {
    const wrong: string[] = []
    for (const known of [...signed, ...forged]) {
      if (isNamed(known, usageRights)) continue
      const status = await signatureStatus(known)
      const valid = known.signatures?.integrity === 'valid' && !isNamed(known, fooling)
      if (status !== (valid ? 'ALL_VALID' : 'SOME_INVALID')) wrong.push(`${known.file}: ${status}`)
    }
    expect(wrong).toEqual([])
  })

  const claiming = everySeventh(
    knownFiles.filter(
      ({ pdfa }) =>
        pdfa?.corpus_verdict === 'pass' && /^([123][abu]|4[ef]?)$/.test(pdfa.flavour ?? ''),
    ),
  )

  test.runIf(claiming.length > 0)('claim the flavour that they comply with', async () => {
    const wrong: string[] = []
    for (const known of claiming) {
      const result = await pdfaDetection.run(openedDocument(readCorpusFile(known)))
      if (result !== `pdfa_${known.pdfa?.flavour}`) wrong.push(`${known.file}: ${result}`)
    }
    expect(wrong).toEqual([])
  })

  const withFonts = everySeventh(
    knownFiles.filter(({ fonts_not_embedded: names }) => names && names.length > 0),
  )

  test.runIf(withFonts.length > 0)('lack no font that another reader finds', async () => {
    const unknown: string[] = []
    for (const known of withFonts) {
      const { findings, ...document } = openedDocument(readCorpusFile(known))
      await fontResourceValidation.run({ findings, ...document })
      // poppler lists fonts too that are only named in resources.
      const listed = new Set(known.fonts_not_embedded)
      for (const name of findings.missingFonts)
        if (!listed.has(name)) unknown.push(`${known.file}: ${name}`)
    }
    expect(unknown).toEqual([])
  })
})

async function signatureStatus(known: KnownFile): Promise<string> {
  const document = openedDocument(readCorpusFile(known), { signedPdfPolicy: 'preserve' })
  await digitalSignatureDetection.run(document)
  return document.findings.security.overallSignatureStatus
}

function isNamed({ file }: KnownFile, names: readonly string[]): boolean {
  return names.some((name) => file.endsWith(`_${name}.pdf`))
}

function everySeventh<T>(items: readonly T[]): T[] {
  return items.filter((_, index) => index % 7 === 0)
}
