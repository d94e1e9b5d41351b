import { z } from 'zod'

export const regions = ['ca-central-1', 'us-east-2', 'eu-central-1'] as const

/** Where a document's original, output and report are stored. */
export const Region = z
  .enum(regions)
  .meta({ id: 'Region', description: 'Where the bytes of a document are stored.' })
export type Region = z.infer<typeof Region>
