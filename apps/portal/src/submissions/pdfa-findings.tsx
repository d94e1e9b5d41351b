import { Text } from '@mantine/core'
import type { ValidationInfo } from '@pdfnorm/contracts/schema/validation-findings'
import { ShortenedList } from './shortened-list.tsx'

/** What became of a claim of PDF/A (ISO 19005), and which of its rules the normalized file breaks. */
export function PdfaFindings({
  validation: { pdfaLevel, pdfaCompliant, pdfaValidatorValidated, pdfaValidatorErrors },
}: {
  validation: ValidationInfo
}) {
  const claim = pdfaLevel === null ? 'PDF/A' : `PDF/A-${pdfaLevel}`
  return (
    <>
      <Text size="sm" mb={pdfaValidatorErrors.length === 0 ? 0 : 6}>
        The original claims {claim}.{' '}
        {pdfaCompliant
          ? 'The normalized file conforms to it.'
          : 'The normalized file does not, and makes no such claim.'}
        {pdfaValidatorValidated === false && ' The validator did not come to its end.'}
      </Text>
      {pdfaValidatorErrors.length > 0 && <ShortenedList entries={pdfaValidatorErrors} most={4} />}
    </>
  )
}
