import { normalize } from '../src/normalize.ts'
import { defaultOptions, type NormalizeOptions } from '../src/options.ts'
import { catalogXmp } from '../src/pdf/catalog.ts'
import { pdfaClaim } from '../src/pdf/metadata/pdfa-claim.ts'
import type { PdfFile } from '../src/pdf/pdf-file.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { type Flavour, flavourOfClaim, flavours } from '../src/pdfa/flavour.ts'
import { type PdfaVerdict, validatePdfa } from '../src/pdfa/validate-pdfa.ts'
import type { CorpusFile } from '../test/corpus-files.ts'

/** What we say about one file of a suite for PDF/A, and what the pipeline makes of it. */
export interface PdfaGrade {
  readonly file: CorpusFile
  readonly flavour: Flavour
  readonly truth: 'pass' | 'fail'
  readonly verdict: PdfaVerdict
  /** The rules that do not hold, such as `6.1.2 t1`. */
  readonly rules: readonly string[]
  readonly agrees: boolean
  /** Whether the clause that the suite names is among the rules; null where it names none or the file complies. */
  readonly clauseNamed: boolean | null
  readonly outputs: readonly PdfaOutput[]
}

/** What the pipeline made of the file under one choice of options. */
export interface PdfaOutput {
  readonly options: string
  readonly bytes: Uint8Array | null
  /** What the output claims; null for nothing, and where there is no output. */
  readonly claimed: Flavour | null
  /** Of the output, under what it claims. */
  readonly rules: readonly string[]
  /** What must not be: compliance that was lost, or a claim that is false; null when all is well. */
  readonly complaint: string | null
}

/** Holds a file against the flavour that the suite names, and what the pipeline makes of it against what that claims. */
export async function gradePdfa(file: CorpusFile, bytes: Uint8Array): Promise<PdfaGrade> {
  const pdf = readPdf(bytes)
  const flavour = suiteFlavour(file, pdf)
  const truth = file.pdfa?.corpus_verdict === 'pass' ? 'pass' : 'fail'
  const verdict = validatePdfa(pdf, flavour)
  const rules = rulesOf(verdict.errors)
  const outputs: PdfaOutput[] = []
  for (const linearize of [false, true]) {
    for (const pdfaPolicy of ['preserve', 'normalize_anyway'] as const) {
      const options = {
        ...defaultOptions,
        linearize,
        pdfaPolicy,
        signedPdfPolicy: 'strip',
      } as const
      outputs.push(await gradeOutput(bytes, options, flavour, verdict.compliant))
    }
  }
  return {
    file,
    flavour,
    truth,
    verdict,
    rules,
    agrees: verdict.compliant === (truth === 'pass'),
    clauseNamed: clauseNamed(file, truth, rules),
    outputs,
  }
}

/** Files of some suites name a part only, or nothing: they are held against what they claim. */
export function suiteFlavour({ pdfa }: CorpusFile, file: PdfFile): Flavour {
  const named = flavours.find((flavour) => flavour === pdfa?.flavour)
  // `4` names a flavour as well as a part.
  return named ?? claimedFlavour(file) ?? '1b'
}

/** Such as `6.1.2 t1`, each once. What else is among the errors says why validation ended early. */
export function rulesOf(errors: readonly string[]): string[] {
  return [...new Set(errors.flatMap((error) => / (\d[\d.]* t\d+): /.exec(error)?.[1] ?? []))]
}

function claimedFlavour({ graph }: PdfFile): Flavour | null {
  const claim = pdfaClaim(catalogXmp(graph) ?? [])
  return claim && flavourOfClaim(claim)
}

function clauseNamed(
  { pdfa }: CorpusFile,
  truth: 'pass' | 'fail',
  rules: readonly string[],
): boolean | null {
  const clause = pdfa?.clause
  if (truth === 'pass' || clause === undefined || clause === null || !/^\d/.test(clause))
    return null
  return rules.some((rule) => rule.startsWith(`${clause} t`))
}

async function gradeOutput(
  bytes: Uint8Array,
  options: NormalizeOptions,
  flavour: Flavour,
  wasCompliant: boolean,
): Promise<PdfaOutput> {
  const told = `${options.pdfaPolicy}${options.linearize ? ', linearized' : ''}`
  // A document is 4f by its files: without them it cannot be.
  const pdfaSettings = {
    validator: { kind: 'internal' },
    keepAssociatedFiles: flavour === '4f',
  } as const
  const outcome = await normalize(bytes, options, { pdfaSettings })
  if (outcome.kind !== 'normalized') {
    const { code, message } = outcome.failure
    const complaint = wasCompliant || code === 'INTERNAL_ERROR' ? `${code}: ${message}` : null
    return { options: told, bytes: null, claimed: null, rules: [], complaint }
  }
  const output = readPdf(outcome.output)
  const claimed = claimedFlavour(output)
  const rules = claimed === null ? [] : rulesOf(validatePdfa(output, claimed).errors)
  const known = { options: told, bytes: outcome.output, claimed, rules }
  // Files that may do harm go even so, and the claim with them, which is told.
  const isGivenUp = outcome.warnings.some(({ code }) => code === 'PDFA_CLAIM_DROPPED')
  if (flavour === '4f' && claimed === null && isGivenUp) return { ...known, complaint: null }
  return { ...known, complaint: complaintAbout(known, options, flavour, wasCompliant) }
}

function complaintAbout(
  { claimed, rules }: Pick<PdfaOutput, 'claimed' | 'rules'>,
  { pdfaPolicy }: NormalizeOptions,
  flavour: Flavour,
  wasCompliant: boolean,
): string | null {
  if (pdfaPolicy === 'preserve') {
    if (!wasCompliant) return null
    if (claimed !== flavour) return `it claims ${claimed ?? 'nothing'}, and was ${flavour}`
    return rules.length === 0 ? null : `it no longer complies: ${rules.join(', ')}`
  }
  return rules.length === 0 ? null : `it claims ${claimed}, which is false: ${rules.join(', ')}`
}
