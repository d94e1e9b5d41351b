import { defineEntity, p } from '@mikro-orm/core'
import type { ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import { outputHash } from '@pdfnorm/contracts/schema/identifier'
import type { Report } from '@pdfnorm/contracts/schema/report'
import type { NormalizedOutcome } from '@pdfnorm/normalizer/outcome'
import type { Statement } from '../database/transaction.ts'

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

/** Keeps the report of a submission that succeeded. */
export function newReport(of: {
  organizationId: string
  submissionId: string
  apiVersion: ApiVersion
  outcome: NormalizedOutcome
  completedAt: Date
  expiresAt: Date
}): Statement {
  return {
    sql: `insert into report (submission_id, organization_id, output_sha256, completed_at, expires_at, document)
          values (?, ?, ?, ?, ?, ?)`,
    parameters: [
      of.submissionId,
      of.organizationId,
      of.outcome.normalized.sha256,
      of.completedAt,
      of.expiresAt,
      JSON.stringify(reportOf(of)),
    ],
  }
}

function reportOf(of: {
  submissionId: string
  apiVersion: ApiVersion
  outcome: NormalizedOutcome
  completedAt: Date
}): Report {
  const { stages, warnings, tamperAnalysis, validation, pdfaValidatorEngine: engine } = of.outcome
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
      ...(engine === null ? {} : { engine }),
    },
  }
}
