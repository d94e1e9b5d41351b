import { z } from 'zod'
import { IsoDateTime, Uuid } from './identifier.ts'

/** Interface, section 2.11; decision 6.1. */
export const DataExport = z
  .object({
    exportId: Uuid,
    status: z
      .enum(['pending', 'completed'])
      .meta({ id: 'DataExportStatus', description: 'Whether the export can be downloaded.' }),
    requestedAt: IsoDateTime,
    completedAt: IsoDateTime.optional().meta({ description: 'Present when completed.' }),
  })
  .meta({
    id: 'DataExport',
    description: 'Everything the organization has, as one ZIP file.',
    examples: [
      {
        exportId: '0199c8a4-ad76-7066-83eb-7f8091a2b334',
        status: 'pending',
        requestedAt: '2026-11-01T09:30:00.000Z',
      },
    ],
  })
export type DataExport = z.infer<typeof DataExport>

export const ErasureResult = z
  .object({ status: z.literal('scheduled'), message: z.string() })
  .meta({
    id: 'ErasureResult',
    description: "The organization's originals, outputs and reports are being erased.",
  })
export type ErasureResult = z.infer<typeof ErasureResult>
