import { z } from 'zod'

export const tamperSeverities = ['low', 'medium', 'high', 'critical'] as const

export const TamperSeverity = z
  .enum(tamperSeverities)
  .meta({ id: 'TamperSeverity', description: 'How grave an anomaly is.' })
export type TamperSeverity = z.infer<typeof TamperSeverity>

export const TamperAnomalyType = z
  .enum([
    'INCREMENTAL_UPDATE_INJECTION',
    'POST_EOF_DATA',
    'HEADER_VERSION_MISMATCH',
    'SHADOW_CONTENT_DETECTED',
    'ORPHANED_SIGNATURE_FIELD',
  ])
  .meta({ id: 'TamperAnomalyType', description: 'The kind of an anomaly.' })
export type TamperAnomalyType = z.infer<typeof TamperAnomalyType>

export const TamperAnomaly = z
  .object({
    type: TamperAnomalyType,
    severity: TamperSeverity,
    description: z.string(),
    location: z
      .string()
      .regex(
        /^(offset \d+|bytes \d+-\d+)(, (object \d+ \d+|page \d+|revision \d+ of \d+|xref entry at \d+))*$/,
      )
      .nullable()
      .meta({
        description:
          'Where in the original file: an offset or a half-open byte range, then what stands there.',
        examples: ['bytes 48211-48394, revision 2 of 2'],
      }),
  })
  .meta({
    id: 'TamperAnomaly',
    description: 'One thing in the original that tampering would explain.',
  })
export type TamperAnomaly = z.infer<typeof TamperAnomaly>

export const RiskLevel = z
  .enum(['none', ...tamperSeverities])
  .meta({ id: 'RiskLevel', description: 'The highest severity among the anomalies.' })
export type RiskLevel = z.infer<typeof RiskLevel>

export const TamperAnalysis = z
  .object({
    riskLevel: RiskLevel,
    anomaliesDetected: z.int().nonnegative(),
    anomalies: z.array(TamperAnomaly),
  })
  .meta({
    id: 'TamperAnalysis',
    description:
      '`riskLevel` is the highest severity among the anomalies; `anomalies` may list fewer than were counted.',
  })
export type TamperAnalysis = z.infer<typeof TamperAnalysis>
