import { z } from 'zod'
import { IsoDateTime } from './identifier.ts'

export const SignatureVerification = z
  .object({
    fieldName: z.string(),
    signerName: z
      .string()
      .nullable()
      .meta({ description: "The signer certificate's subject as an RFC 4514 string." }),
    signedAt: IsoDateTime.nullable(),
    valid: z.boolean(),
    certificateExpired: z.boolean(),
    certificateChainTrusted: z.boolean().nullable().meta({
      description: 'null when no trust anchors are configured or there is no certificate.',
    }),
    timestampPresent: z.boolean(),
    timestampValid: z.boolean().nullable(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the verification failed; null when `valid` is true.' }),
  })
  .meta({
    id: 'SignatureVerification',
    description:
      'One signature value found in the original file. `valid` says nothing about trust or expiry.',
  })
export type SignatureVerification = z.infer<typeof SignatureVerification>

export const OverallSignatureStatus = z.enum(['ALL_VALID', 'SOME_INVALID', 'NONE']).meta({
  id: 'OverallSignatureStatus',
  description:
    'ALL_VALID: every signature is valid. SOME_INVALID: at least one is not. NONE: there is none.',
})
export type OverallSignatureStatus = z.infer<typeof OverallSignatureStatus>
