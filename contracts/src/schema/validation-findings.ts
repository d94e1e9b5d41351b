import { z } from 'zod'

export const ValidationInfo = z
  .object({
    xrefRebuilt: z.boolean(),
    objectStreamsRegenerated: z.boolean(),
    brokenReferencesDetected: z.boolean(),
    nonEmbeddedFontsDetected: z.boolean(),
    pdfaDeclared: z.boolean().meta({ description: 'Whether the original claims to be PDF/A.' }),
    pdfaPreserved: z.boolean().meta({
      description:
        'Whether the normalized file makes the same claim, and complies if the original did.',
    }),
    pdfaCompliant: z.boolean().meta({ description: 'Whether the normalized file is compliant.' }),
    pdfaLevel: z
      .string()
      .nullable()
      .meta({
        description: "The original's claim: part and conformance level; null when it makes none.",
        examples: ['2b', '1a'],
      }),
    pdfaValidatorValidated: z.boolean().nullable().meta({
      description: 'Whether the validator ran to its end; null when it was not asked to.',
    }),
    pdfaValidatorErrors: z.array(z.string()).meta({
      description:
        'What the normalized file, with its claim, breaks of ISO 19005: specification, clause and test, what is required, ' +
        'what was found, and where. Sorted by clause; at most 100, of each rule at most 10, the last of which says how ' +
        'many more there are. Where validation did not end, the last line says why.',
      examples: [
        [
          'ISO 19005-2:2011 6.2.11.4.1 t1: Required: The programs of fonts that render glyphs are embedded; ' +
            'here: Helvetica (object 12 0, page 3)',
        ],
      ],
    }),
  })
  .meta({
    id: 'ValidationInfo',
    description:
      "What was wrong with the original's structure and fonts, and what became of its PDF/A claim. " +
      'Empty while pending.',
  })
export type ValidationInfo = z.infer<typeof ValidationInfo>
