import { z } from 'zod'

export const ValidationInfo = z
  .object({
    xrefRebuilt: z.boolean(),
    objectStreamsRegenerated: z.boolean(),
    brokenReferencesDetected: z.boolean(),
    nonEmbeddedFontsDetected: z.boolean(),
    pdfaDeclared: z.boolean(),
    pdfaPreserved: z.boolean(),
    pdfaCompliant: z.boolean().meta({ description: 'Whether the normalized file is compliant.' }),
    pdfaLevel: z
      .string()
      .nullable()
      .meta({ examples: ['2b', '1a'] }),
    pdfaValidatorValidated: z.boolean().nullable().meta({
      description: 'Whether the validator ran to its end; null when it was not asked to.',
    }),
    pdfaValidatorErrors: z.array(z.string()),
  })
  .meta({
    id: 'ValidationInfo',
    description:
      "What was wrong with the original's structure and fonts, and what became of its PDF/A claim. " +
      'Empty while pending.',
  })
export type ValidationInfo = z.infer<typeof ValidationInfo>
