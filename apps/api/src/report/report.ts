import { defineEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import { outputHash } from '@pdfnorm/contracts/schema/identifier'
import type { Report } from '@pdfnorm/contracts/schema/report'
import type { NormalizedOutcome } from '@pdfnorm/normalizer/outcome'

/** What the pipeline did to one document, kept as long as its files are. */
export const ReportEntity = defineEntity({
  name: 'Report',
  tableName: 'report',
  properties: {
    submissionId: p.uuid().primary(),
    organizationId: p.uuid(),
    outputSha256: p.text(),
    completedAt: p.datetime(3),
    expiresAt: p.datetime(3),
    document: p.json<Report>(),
  },
})

/** Keeps the report of a submission that succeeded, in the transaction of `em`. */
export async function keepReport(
  em: EntityManager,
  of: {
    organizationId: string
    submissionId: string
    apiVersion: ApiVersion
    outcome: NormalizedOutcome
    completedAt: Date
    expiresAt: Date
  },
): Promise<void> {
  const { organizationId, submissionId, completedAt, expiresAt } = of
  await em.insert(ReportEntity, {
    organizationId,
    submissionId,
    completedAt,
    expiresAt,
    outputSha256: of.outcome.normalized.sha256,
    document: reportOf(of),
  })
}

function reportOf(of: {
  submissionId: string
  apiVersion: ApiVersion
  outcome: NormalizedOutcome
  completedAt: Date
}): Report {
  const { stages, warnings, tamperAnalysis, validation } = of.outcome
  return {
    apiVersion: of.apiVersion,
    outputHash: outputHash(of.outcome.normalized.sha256),
    submissionId: of.submissionId,
    createdAt: of.completedAt.toISOString(),
    processingTimeMs: of.outcome.processingTimeMs,
    stages: stages.map(({ findings, ...stage }) => ({
      ...stage,
      ...(findings === undefined ? {} : { findings: [...findings] }),
    })),
    warnings: [...warnings],
    tamperAnalysis: {
      detected: tamperAnalysis.anomaliesDetected > 0,
      findings: [...tamperAnalysis.anomalies],
    },
    pdfaValidator: {
      validated: validation.pdfaValidatorValidated ?? false,
      errors: [...validation.pdfaValidatorErrors],
    },
  }
}
