import { Text } from '@mantine/core'
import type { ValidationInfo } from '@pdfnorm/contracts/schema/validation-findings'
import type { WarningInfo } from '@pdfnorm/contracts/schema/warning'
import { ShortenedList } from './shortened-list.tsx'

/** What became of a claim of PDF/A (ISO 19005), and which of its rules the normalized file breaks. */
export function PdfaFindings({
  validation: { pdfaLevel, pdfaCompliant, pdfaValidatorValidated, pdfaValidatorErrors },
  warnings,
}: {
  validation: ValidationInfo
  warnings: readonly WarningInfo[]
}) {
  const isDropped = warnings.some(({ code }) => code === 'PDFA_CLAIM_DROPPED')
  const claim = pdfaLevel === null ? 'PDF/A' : `PDF/A-${pdfaLevel}`
  return (
    <>
      <Text size="sm" mb={pdfaValidatorErrors.length === 0 ? 0 : 6}>
        The original claims {claim}. {fateOf(pdfaCompliant, isDropped)}
        {pdfaValidatorValidated === false && ' The validator did not come to its end.'}
      </Text>
      {pdfaValidatorErrors.length > 0 && <ShortenedList entries={pdfaValidatorErrors} most={4} />}
    </>
  )
}

function fateOf(isCompliant: boolean, isDropped: boolean): string {
  if (isCompliant) return 'The normalized file conforms to it.'
  if (isDropped) return 'The normalized file does not, and makes no such claim.'
  return 'The normalized file does not conform, and still claims it.'
}
