import { RiskLevel } from '@pdfnorm/contracts/schema/tamper-analysis'
import { describe, expect, test } from 'vitest'
import { emptyFindings } from './findings.ts'
import { healthScore } from './health-score.ts'
import type { FindingsInProgress } from './stage.ts'

type Finding = (findings: FindingsInProgress) => void

/** Everything that costs points, and by itself how many. */
const found: Record<string, { points: number; finding: Finding }> = {
  'a low risk': { points: 5, finding: risk('low') },
  'a medium risk': { points: 15, finding: risk('medium') },
  'a high risk': { points: 30, finding: risk('high') },
  'a critical risk': { points: 50, finding: risk('critical') },
  'an invalid signature': {
    points: 20,
    finding: ({ security }) => (security.overallSignatureStatus = 'SOME_INVALID'),
  },
  JavaScript: { points: 10, finding: ({ security }) => (security.javascriptRemoved = true) },
  'launch actions': {
    points: 10,
    finding: ({ security }) => (security.launchActionsRemoved = true),
  },
  'open actions': { points: 5, finding: ({ security }) => (security.openActionsRemoved = true) },
  'embedded files': {
    points: 5,
    finding: ({ security }) => (security.embeddedFilesRemoved = true),
  },
  'rich media': { points: 5, finding: ({ security }) => (security.richMediaRemoved = true) },
  'lost XFA': { points: 3, finding: ({ warn }) => warn('XFA_CONTENT_LOST', 'XFA') },
  'a rebuilt table': { points: 8, finding: ({ validation }) => (validation.xrefRebuilt = true) },
  'broken references': {
    points: 5,
    finding: ({ validation }) => (validation.brokenReferencesDetected = true),
  },
  'incremental updates': {
    points: 2,
    finding: ({ security }) => (security.incrementalUpdatesRemoved = true),
  },
  'a standard font': { points: 2, finding: missingFont('Helvetica-Bold') },
  'an alias of a standard font': { points: 2, finding: missingFont('TimesNewRomanPSMT') },
  'a font named like a property of objects': { points: 6, finding: missingFont('constructor') },
  'another font': { points: 6, finding: missingFont('Frutiger (Type1') },
  encryption: { points: 5, finding: ({ security }) => (security.encryptedInput = true) },
  'a claim that a validator refuted': {
    points: 8,
    finding: (findings) => {
      findings.validation.pdfaDeclared = true
      findings.falsePdfaClaim = true
    },
  },
}

/** Told, but no fault of the document. */
const harmless: Record<string, Finding> = {
  'object streams written anew': ({ validation }) => (validation.objectStreamsRegenerated = true),
  'a valid signature': ({ security }) => {
    if (security.overallSignatureStatus === 'NONE') security.overallSignatureStatus = 'ALL_VALID'
  },
  'a flattened form': ({ security }) => (security.acroformFlattened = true),
  'a claim that nobody checked': ({ validation }) => (validation.pdfaDeclared = true),
  'a claim that the output lost': ({ validation }) => {
    validation.pdfaValidatorErrors = ['ISO 19005-4:2020 6.9 t5']
  },
  'a document without text': ({ warn }) => warn('IMAGE_ONLY_DOCUMENT', 'no text'),
}

describe('the health score', () => {
  test('of a document without findings is 100, and what is harmless leaves it there', () => {
    expect(score([])).toBe(100)
    expect(score(Object.values(harmless))).toBe(100)
  })

  test.each(Object.entries(found))('loses its points for %s', (_, { points, finding }) => {
    expect(score([finding])).toBe(100 - points)
  })

  test('never rises by a further finding, and does not depend on their order', () => {
    const findings = [
      ...Object.values(found).map(({ finding }) => finding),
      ...Object.values(harmless),
    ]
    for (const seed of Array.from({ length: 200 }, (_, index) => index)) {
      const some = shuffled(findings, seed).slice(0, seed % findings.length)
      const one = shuffled(findings, seed + 1000)[0] as Finding
      // A document has one risk level: it may only be told a higher one.
      const before = score(some)
      expect(score([...some, one])).toBeLessThanOrEqual(before)
      expect(score(shuffled(some, seed + 2000))).toBe(before)
      expect(before === 100).toBe(
        some.every((finding) => Object.values(harmless).includes(finding)),
      )
    }
  })

  test('is a whole number that stops at 0', () => {
    const all = score(Object.values(found).map(({ finding }) => finding))
    expect(all).toBe(0)
  })
})

function score(findings: readonly Finding[]): number {
  const document = emptyFindings()
  for (const finding of findings) finding(document)
  return healthScore(document)
}

function risk(riskLevel: RiskLevel): Finding {
  const levels = RiskLevel.options
  return (findings) => {
    const known = findings.tamperAnalysis?.riskLevel ?? 'none'
    const higher = levels.indexOf(riskLevel) > levels.indexOf(known) ? riskLevel : known
    findings.tamperAnalysis = { riskLevel: higher, anomaliesDetected: 1, anomalies: [] }
  }
}

function missingFont(name: string): Finding {
  return ({ missingFonts }) => missingFonts.push(name)
}

/** The same order for the same seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed * 2_654_435_761 + 1
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
