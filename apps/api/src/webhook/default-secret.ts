import { leastRole } from '@pdfnorm/contracts/schema/member'
import type {
  DefaultWebhookSecret,
  RotatedDefaultWebhookSecret,
} from '@pdfnorm/contracts/schema/webhook-endpoint'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { defaultSecrets, rotateSecret } from './webhook-secret.ts'

type SecretsPlatform = Pick<Platform, 'orm' | 'clock' | 'secretsKey'>

/** GET /api/portal/webhooks/default-secret: what signs for the addresses of requests and batches. */
export async function findDefaultSecret(
  platform: SecretsPlatform,
  { organization }: MemberCaller,
): Promise<DefaultWebhookSecret> {
  const [secret] = await withOrganization(platform.orm, organization.id, (em) =>
    defaultSecrets(platform, em, organization.id),
  )
  if (secret === undefined) throw new Error('The organization has no default secret')
  return { secret }
}

/** POST /api/portal/webhooks/default-secret/rotate: for a day deliveries are signed with both. */
export async function rotateDefaultSecret(
  platform: SecretsPlatform,
  caller: MemberCaller,
): Promise<RotatedDefaultWebhookSecret | ChangeRefusal> {
  return changeAsMember(platform.orm, caller, leastRole.changeWebhooks, async (em, { id }) => {
    // There is one to replace, also when nothing was ever signed with it.
    await defaultSecrets(platform, em, id)
    const signer = { organizationId: id, signerId: id }
    const { secret, previousValidUntil } = await rotateSecret(platform, em, signer)
    return { secret, previousValidUntil: previousValidUntil.toISOString() }
  })
}
