import {
  type NormalizeResponse,
  pendingResponse,
} from '@pdfnorm/contracts/schema/normalize-response'
import type { Submission } from './submission.ts'

/**
 * A submission with all that was found (interface, section 2.1).
 *
 * @param at the service's own address, without a slash at its end, and the id of the request that asks
 */
export function normalizeResponse(
  submission: Submission,
  at: { baseUrl: string; requestId: string },
): NormalizeResponse {
  const { status, apiVersion } = submission
  const normalized = submission.normalized ?? null
  const original = { sha256: submission.originalSha256, sizeBytes: submission.originalSizeBytes }
  const ids = { apiVersion, requestId: at.requestId, submissionId: submission.id }
  if (status === 'PENDING' || status === 'IN_PROGRESS') {
    return pendingResponse({ ...ids, original, status })
  }

  return {
    ...ids,
    processingTimeMs: submission.processingTimeMs,
    status,
    original,
    normalized:
      normalized === null
        ? null
        : {
            sha256: normalized.sha256,
            sizeBytes: normalized.sizeBytes,
            pdfVersion: normalized.pdfVersion,
            linearized: normalized.linearized,
            contentHash: normalized.contentHash,
            downloadUrl: downloadUrl(at.baseUrl, normalized.sha256),
          },
    security: submission.security ?? {},
    validation: submission.validation ?? {},
    tamperAnalysis: submission.tamperAnalysis ?? null,
    warnings: [...submission.warnings],
    failure: submission.failure ?? null,
  }
}

/** Where the normalized file is fetched, with a key (decision 2.10). */
export function downloadUrl(baseUrl: string, sha256: string): string {
  return `${baseUrl}/api/artifacts/${sha256}`
}
