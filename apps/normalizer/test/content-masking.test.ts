import { expect, test } from 'vitest'
import { tamperDetection } from '../src/stages/1-tamper-detection.ts'
import { openedDocument } from './fixture/document.ts'
import { maskedFiles, plainFiles } from './fixture/masked-pdf.ts'

/** Odd, and met in files that nobody means to deceive with: low. */
const slight = new Set(
  'C1 C4 C5 C8 C9 CX D1 D2 D3 D4 D5 E1 E2 E3 I1 I2 I4 I5 K1 K6 K7 K8 L1 L2 M1 M2 N4 O1'.split(' '),
)
/** What is embedded is another document, whatever stands in it. */
const quiet = 'M3'

test.each(Object.entries(plainFiles()))('%s raises no alarm', (_, bytes) => {
  expect(['none', 'low']).toContain(riskLevel(bytes))
})

test.each(Object.entries(maskedFiles()))('content is masked: %s', (name, bytes) => {
  expect(riskLevelsOf(name)).toContain(riskLevel(bytes))
})

function riskLevelsOf(name: string): readonly string[] {
  const [kind = ''] = name.split(' ')
  if (kind === quiet) return ['none']
  return slight.has(kind) ? ['low'] : ['medium', 'high']
}

function riskLevel(bytes: Uint8Array): string | undefined {
  const document = openedDocument(bytes)
  tamperDetection.run(document)
  return document.findings.tamperAnalysis?.riskLevel
}
