import { apiKeys } from './api-keys.ts'
import { artifacts } from './artifacts.ts'
import { attestations } from './attestations.ts'
import { auth } from './auth.ts'
import { batches } from './batches.ts'
import { billing } from './billing.ts'
import { dataProtection } from './data-protection.ts'
import { memberDocuments } from './member-documents.ts'
import { normalize } from './normalize.ts'
import { organization } from './organization.ts'
import { reports } from './reports.ts'
import { rest } from './rest.ts'
import { statistics } from './statistics.ts'
import { submissions } from './submissions.ts'
import { team } from './team.ts'
import { webhooks } from './webhooks.ts'

/** Every endpoint that is mounted, documented and generated, by group. An endpoint's key is its operationId. */
export const contract = rest.router({
  auth,
  normalize,
  submissions,
  reports,
  artifacts,
  batches,
  attestations,
  organization,
  apiKeys,
  billing,
  webhooks,
  dataProtection,
  team,
  statistics,
  memberDocuments,
})
