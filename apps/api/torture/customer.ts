import { CreatedApiKey } from '@pdfnorm/contracts/schema/api-key'
import { type PlanTier, plans } from '@pdfnorm/contracts/schema/plan'
import { RegisterResponse, SessionTokens } from '@pdfnorm/contracts/schema/session'
import { CreatedWebhook, DefaultWebhookSecret } from '@pdfnorm/contracts/schema/webhook-endpoint'
import type { TorturedService } from './service.ts'

/** An organization that submits documents and has a webhook for all that happens to them. */
export interface Customer {
  id: string
  name: string
  planTier: PlanTier
  apiKey: string
  /** Asks as its owner. */
  asOwner: { authorization: string }
  /** Documents that it had used before. */
  usedBefore: number
  /** Path of its configured webhook at the receiver. */
  webhookPath: string
}

interface CustomerPlan {
  name: string
  planTier: PlanTier
  usedBefore: number
}

const password = 'a passphrase that nobody else has'

/** The first is on a plan with one slot, the second has nearly used up its documents, two have more to do than slots. */
const customerPlans: readonly CustomerPlan[] = [
  { name: 'free', planTier: 'free', usedBefore: 0 },
  { name: 'thrifty', planTier: 'free', usedBefore: plans.free.monthlyDocuments - 5 },
  { name: 'starter', planTier: 'starter', usedBefore: 0 },
  { name: 'other', planTier: 'starter', usedBefore: 0 },
  { name: 'pro', planTier: 'pro', usedBefore: 0 },
]

export async function registerCustomers(service: TorturedService): Promise<Customer[]> {
  return Promise.all(customerPlans.map((plan) => register(service, plan)))
}

async function register(
  { urls: [url], database, receiver }: TorturedService,
  { name, planTier, usedBefore }: CustomerPlan,
): Promise<Customer> {
  const email = `${name}@example.com`
  const registration = {
    orgName: name,
    orgSlug: `torture-${name}`,
    ownerEmail: email,
    ownerPassword: password,
  }
  const registered = RegisterResponse.parse(await post(`${url}/api/auth/register`, registration))
  const { id } = registered.organization
  const login = SessionTokens.parse(await post(`${url}/api/auth/login`, { email, password }))
  const asOwner = { authorization: `Bearer ${login.access_token}` }

  const keyRequest = { name: 'torture', scopes: ['normalize', 'read'] }
  const key = CreatedApiKey.parse(await post(`${url}/api/portal/api-keys`, keyRequest, asOwner))
  await database.query('update organization set plan_tier = $2 where id = $1', [id, planTier])
  if (usedBefore > 0) {
    await database.query(
      `insert into document_usage (organization_id, cycle_starts_at, documents, submissions, success)
       select id, created_at, $2, $2, $2 from organization where id = $1`,
      [id, usedBefore],
    )
  }

  const webhookPath = `/configured/${name}`
  const events = ['normalization.success', 'normalization.failure', 'normalization.rejected']
  const webhook = CreatedWebhook.parse(
    await post(`${url}/api/portal/webhooks`, { url: receiver.url + webhookPath, events }, asOwner),
  )
  receiver.signedWith(webhookPath, webhook.secret)
  const answer = await fetch(`${url}/api/portal/webhooks/default-secret`, { headers: asOwner })
  receiver.signedWith(`/of/${name}/`, DefaultWebhookSecret.parse(await answer.json()).secret)
  return { id, name, planTier, apiKey: key.fullKey, asOwner, usedBefore, webhookPath }
}

async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response.json()
}
