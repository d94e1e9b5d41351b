import { z } from 'zod'
import { OverallSignatureStatus, SignatureVerification } from './signature-verification.ts'

export const SecurityInfo = z
  .object({
    javascriptRemoved: z.boolean(),
    openActionsRemoved: z.boolean(),
    embeddedFilesRemoved: z.boolean(),
    richMediaRemoved: z.boolean(),
    launchActionsRemoved: z.boolean(),
    incrementalUpdatesRemoved: z.boolean(),
    acroformFlattened: z.boolean(),
    annotationsRemoved: z.boolean(),
    encryptedInput: z.boolean(),
    digitalSignaturesDetected: z.boolean(),
    digitalSignaturesRemoved: z.boolean(),
    signatureCount: z.int().nonnegative(),
    signatureVerificationResults: z.array(SignatureVerification),
    overallSignatureStatus: OverallSignatureStatus,
  })
  .meta({
    id: 'SecurityInfo',
    description:
      'What was found in the original file and taken out of the normalized one. Empty while pending.',
  })
export type SecurityInfo = z.infer<typeof SecurityInfo>
