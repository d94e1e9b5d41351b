import type { OverallSignatureStatus } from '@pdfnorm/contracts/schema/signature-verification'
import type { RiskLevel, TamperAnomaly } from '@pdfnorm/contracts/schema/tamper-analysis'
import { emptyFindings } from '../src/findings.ts'
import { defaultOptions } from '../src/options.ts'
import { signatureValues } from '../src/pdf/form/signature-field.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { digitalSignatureDetection } from '../src/stages/3-digital-signature-detection.ts'
import { tamperDetection } from '../src/stages/1-tamper-detection.ts'
import type { CorpusFile, OpensslFact } from '../test/corpus-files.ts'
import { examinedFacts } from './examined-facts.ts'

/** What we say about the signatures and the tampering of one file, and whether the manifest says the same. */
export interface TrustGrade {
  readonly file: CorpusFile
  /** Why there is no answer; null where there is one. */
  readonly refused: string | null
  readonly riskLevel: RiskLevel
  readonly anomalies: readonly TamperAnomaly[]
  readonly status: OverallSignatureStatus
  readonly signatures: readonly SignatureAnswer[]
  readonly verdicts: readonly Verdict[]
  /** Whether the manifest knows of an attack, and whether we found it. */
  readonly attack: 'found' | 'missed' | null
  /** Whether a file that nobody tampered with is called worse than low; null for the others. */
  readonly falseAlarm: boolean | null
}

export interface SignatureAnswer {
  readonly object: number | null
  readonly valid: boolean
  readonly reason: string | null
}

export interface Verdict {
  /** `integrity` of all signatures, or `signature <object number>`. */
  readonly fact: string
  readonly truth: string
  readonly ours: string
  readonly agrees: boolean
  /** What must never be: an invalid signature called valid. */
  readonly fooled: boolean
}

/** Runs the stages that judge, on the bytes alone; what is made of the document does not matter here. */
export async function gradeTrust(file: CorpusFile, bytes: Uint8Array): Promise<TrustGrade> {
  const answer = await answerFor(bytes)
  const tampered = examined(file, 'tampered')?.truth ?? file.tampered_by_construction
  const alarmed = ['medium', 'high', 'critical'].includes(answer.riskLevel)
  const grave = ['high', 'critical'].includes(answer.riskLevel)
  const found = grave || answer.status === 'SOME_INVALID'
  const answered = answer.refused === null
  const ordinary = tampered !== true && examined(file, 'alarm')?.truth !== true
  return {
    file,
    ...answer,
    verdicts: answered ? verdictsOn(file, answer) : [],
    attack: tampered === true ? (found ? 'found' : 'missed') : null,
    falseAlarm: answered && ordinary ? alarmed : null,
  }
}

type Answer = Pick<TrustGrade, 'refused' | 'riskLevel' | 'anomalies' | 'status' | 'signatures'>

async function answerFor(bytes: Uint8Array): Promise<Answer> {
  const findings = emptyFindings()
  const refusedFor = (reason: string): Answer => ({
    refused: reason,
    riskLevel: 'none',
    anomalies: [],
    status: 'NONE',
    signatures: [],
  })
  try {
    const file = readPdf(bytes)
    if (file.encrypted) return refusedFor('encrypted')
    const document = {
      options: { ...defaultOptions, signedPdfPolicy: 'preserve' as const },
      file,
      findings,
      output: null,
      contentHash: null,
      now: new Date(),
    }
    tamperDetection.run(document)
    const values = signatureValues(file.graph, bytes)
    await digitalSignatureDetection.run(document)

    const { security, tamperAnalysis } = findings
    return {
      refused: null,
      riskLevel: tamperAnalysis?.riskLevel ?? 'none',
      anomalies: tamperAnalysis?.anomalies ?? [],
      status: security.overallSignatureStatus,
      signatures: security.signatureVerificationResults.map(({ valid, reason }, index) => ({
        object: values[index]?.objectNumber ?? null,
        valid,
        reason,
      })),
    }
  } catch (error) {
    return refusedFor(String(error))
  }
}

function verdictsOn(file: CorpusFile, answer: Answer): Verdict[] {
  const verdicts: Verdict[] = []
  const expected = examined(file, 'integrity')?.truth ?? expectedStatus(file)
  if (expected !== null) {
    verdicts.push({
      fact: 'integrity',
      truth: String(expected),
      ours: answer.status,
      agrees: expected === answer.status,
      fooled: expected === 'SOME_INVALID' && answer.status !== 'SOME_INVALID',
    })
  }
  for (const known of file.signatures?.openssl ?? []) {
    const number = Number.parseInt(known.obj, 10)
    const ours = answer.signatures.find(({ object }) => object === number)
    const valid = examined(file, `signature ${number}`)?.truth ?? expectedValidity(file, known)
    if (ours === undefined || valid === null) continue
    verdicts.push({
      fact: `signature ${number}`,
      truth: valid === true ? 'valid' : 'invalid',
      ours: ours.valid ? 'valid' : (ours.reason ?? 'invalid'),
      agrees: valid === ours.valid,
      fooled: valid === false && ours.valid,
    })
  }
  return verdicts
}

/** null where the manifest does not decide it: what was added after signing may make an intact signature invalid. */
function expectedStatus(file: CorpusFile): OverallSignatureStatus | null {
  const { signatures, tampered_by_construction: tampered } = file
  if (signatures?.integrity === 'none') return 'NONE'
  if (signatures?.integrity === 'invalid') return 'SOME_INVALID'
  if (signatures?.integrity !== 'valid') return null
  if (signatures.openssl?.some((known) => known.gap_matches_contents === false)) {
    return 'SOME_INVALID'
  }
  return tampered === true ? null : 'ALL_VALID'
}

function expectedValidity(
  { tampered_by_construction: tampered }: CorpusFile,
  { intact, gap_matches_contents: gapMatches, covers_to_eof: coversAll }: OpensslFact,
): boolean | null {
  if (intact === false || gapMatches === false) return false
  if (intact !== true || gapMatches !== true) return null
  return coversAll === true || tampered !== true ? true : null
}

function examined({ file }: CorpusFile, fact: string): (typeof examinedFacts)[number] | undefined {
  return examinedFacts.find((known) => known.file === file && known.fact === fact)
}
