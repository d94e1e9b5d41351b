import { createHash } from 'node:crypto'
import { VerificationResult } from '@pdfnorm/contracts/schema/attestation'
import { Report } from '@pdfnorm/contracts/schema/report'
import type { Customer } from '../customer.ts'
import type { SubmissionRow } from './records.ts'

/** Every output can be fetched by whoever submitted it, has its hash, and has a report and an attestation that holds. */
export async function artifactLosses(
  url: string,
  customers: readonly Customer[],
  rows: ReadonlyMap<string, SubmissionRow>,
): Promise<{ losses: string[]; checked: number }> {
  const losses: string[] = []
  const checked = new Set<string>()
  for (const { organizationId, outputSha256 } of rows.values()) {
    const customer = customers.find(({ id }) => id === organizationId)
    if (outputSha256 === null || customer === undefined) continue
    const name = `${outputSha256} of ${customer.name}`
    if (checked.has(name)) continue
    checked.add(name)
    const loss = await artifactLoss(url, customer, outputSha256)
    if (loss !== null) losses.push(`the artifact ${name} ${loss}`)
  }
  return { losses, checked: checked.size }
}

async function artifactLoss(url: string, { apiKey }: Customer, sha256: string) {
  const get = (path: string) => fetch(url + path, { headers: { 'X-Api-Key': apiKey } })
  const artifact = await get(`/api/artifacts/${sha256}`)
  const bytes = Buffer.from(await artifact.arrayBuffer())
  if (!artifact.ok) return `is answered with ${artifact.status}`
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) return 'has other bytes'

  const report = await get(`/api/reports/${sha256}`)
  const isReport = Report.safeParse(await report.json()).success
  if (!report.ok || !isReport) return `has a report that is answered with ${report.status}`

  const answer = await get(`/api/verify/${sha256}`)
  const verification = VerificationResult.safeParse(await answer.json())
  if (verification.data?.valid !== true) {
    return `has an attestation that does not hold: ${verification.data?.reason ?? answer.status}`
  }
  return null
}
