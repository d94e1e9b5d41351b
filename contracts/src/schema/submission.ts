import { z } from 'zod'
import { ApiVersion } from './api-version.ts'
import { FailureInfo } from './failure.ts'
import { IsoDateTime, OutputHash, Uuid } from './identifier.ts'
import { WarningInfo } from './warning.ts'

export const SubmissionStatus = z
  .enum(['PENDING', 'IN_PROGRESS', 'SUCCESS', 'FAILED', 'REJECTED'])
  .meta({
    id: 'SubmissionStatus',
    description:
      'PENDING: accepted, not begun. IN_PROGRESS: in the pipeline. SUCCESS, FAILED (the document could not be ' +
      'normalized) and REJECTED (a policy refused it) are terminal.',
  })
export type SubmissionStatus = z.infer<typeof SubmissionStatus>

/** Where each status may go (decision 2.2). A status that goes nowhere is terminal. */
export const submissionMoves = {
  PENDING: ['IN_PROGRESS'],
  IN_PROGRESS: ['SUCCESS', 'FAILED', 'REJECTED'],
  SUCCESS: [],
  FAILED: [],
  REJECTED: [],
} as const satisfies Record<SubmissionStatus, readonly SubmissionStatus[]>

export function isTerminal(status: SubmissionStatus): boolean {
  return submissionMoves[status].length === 0
}

/** Interface, section 2.2; decision 2.11. */
export const Submission = z
  .object({
    apiVersion: ApiVersion,
    submissionId: Uuid,
    status: SubmissionStatus,
    createdAt: IsoDateTime,
    completedAt: IsoDateTime.nullable(),
    processingTimeMs: z.int().nonnegative(),
    outputHash: OutputHash.nullable(),
    outputSizeBytes: z.int().nonnegative().nullable(),
    downloadUrl: z.url().nullable(),
    warnings: z.array(WarningInfo),
    failure: FailureInfo.optional().meta({ description: 'Only on FAILED and REJECTED.' }),
  })
  .meta({
    id: 'Submission',
    description: 'What became of one upload.',
    examples: [
      {
        apiVersion: '2026-11-01',
        submissionId: '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11',
        status: 'SUCCESS',
        createdAt: '2026-11-01T09:30:00.000Z',
        completedAt: '2026-11-01T09:30:00.842Z',
        processingTimeMs: 842,
        outputHash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        outputSizeBytes: 48211,
        downloadUrl:
          'https://pdfnorm.example/api/artifacts/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        warnings: [],
      },
    ],
  })
export type Submission = z.infer<typeof Submission>
