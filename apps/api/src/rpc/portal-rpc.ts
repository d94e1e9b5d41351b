import { apiKeysRpc } from './api-keys-rpc.ts'
import { batchesRpc } from './batches-rpc.ts'
import { billingRpc } from './billing-rpc.ts'
import { dataProtectionRpc } from './data-protection-rpc.ts'
import { organizationRpc } from './organization-rpc.ts'
import { router } from './rpc.ts'
import { statisticsRpc } from './statistics-rpc.ts'
import { submissionsRpc } from './submissions-rpc.ts'
import { teamRpc } from './team-rpc.ts'
import { webhooksRpc } from './webhooks-rpc.ts'

/** What the internal apps call; the same use cases as the endpoints. */
export const portalRpc = router({
  organization: organizationRpc,
  team: teamRpc,
  apiKeys: apiKeysRpc,
  statistics: statisticsRpc,
  billing: billingRpc,
  dataProtection: dataProtectionRpc,
  webhooks: webhooksRpc,
  batches: batchesRpc,
  submissions: submissionsRpc,
})

/** All that an app imports of the API, as a type only. */
export type PortalRpc = typeof portalRpc
