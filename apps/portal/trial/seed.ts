import { randomUUID } from 'node:crypto'
import { pdf } from '../../api/test/pdf.ts'
import { goodPassword } from '../../api/test/organization.ts'
import type { DemoService } from './demo-service.ts'

/** An organization to look at. */
export interface SeededOrganization {
  name: string
  owner: { email: string; password: string }
  /** Pages beside those that every organization has. */
  paths: string[]
}

/** As it is right after somebody registered. */
export async function seedNone(service: DemoService): Promise<SeededOrganization> {
  const { owner } = await register(service, 'none', 'Acme')
  return { name: 'none', owner, paths: [] }
}

/** As it is after a few days. */
export async function seedSome(service: DemoService): Promise<SeededOrganization> {
  const { owner, organizationId, call } = await register(service, 'some', 'Acme Records')
  await age(service, organizationId, '110 days')
  await service.query('update member set email_verified = true where email = $1', [owner.email])
  const paths = await use(service, call)
  await repeatSubmissions(service, organizationId, 40, '110 days')
  return { name: 'some', owner, paths }
}

/** As it is after years: 10,000 submissions, 200 keys, 60 members, long names, another direction of writing. */
export async function seedMuch(service: DemoService): Promise<SeededOrganization> {
  const name =
    'الشركة العربية لأرشفة الوثائق والسجلات الرقمية — Vereinigte Aktenverwaltungsgesellschaft'
  const { owner, organizationId, call } = await register(service, 'much', name)
  await age(service, organizationId, '500 days')
  const paths = await use(service, call)
  const id = [organizationId]
  await service.query(`update organization set plan_tier = 'growth' where id = $1`, id)
  await service.query(
    `insert into subscription
       (organization_id, customer_id, subscription_id, status, billing_interval, current_period_ends_at, cancels_at_period_end)
     values ($1, 'cus_much', 'sub_much', 'active', 'month', now() + interval '12 days', false)`,
    id,
  )
  await repeatSubmissions(service, organizationId, 2352, '420 days')
  await service.query(
    `insert into batch
       (id, organization_id, api_version, name, created_at, total, completed, failed, rejected, announced_total)
     select gen_random_uuid(), organization_id, api_version,
       case n % 3 when 0 then 'عقود الفرع الشرقي لسنة 2026 – ' || n
                  when 1 then repeat('incoming_mail_of_the_eastern_branch_office_', 4) || n
                  else 'Contracts ' || n end,
       created_at - n * interval '6 hours', n * 37, n * 30, n, case when n % 5 = 0 then 5 else 6 end * n, 0
     from batch, generate_series(1, 60) n where organization_id = $1`,
    id,
  )
  await service.query(
    `insert into api_key
     select (jsonb_populate_record(api_key, jsonb_build_object(
          'id', gen_random_uuid(), 'key_hash', md5(n::text) || md5(n::text),
          'name', case when n % 3 = 0 then 'خدمة الأرشفة ' || n
                       else 'archive-service-of-the-eastern-branch-office-number-' || n end,
          'created_at', created_at - n * interval '1 day',
          'last_used_at', case when n % 4 > 0 then created_at - n * interval '20 hours' end,
          'expires_at', case when n = 5 then now() + interval '3 days'
                             when n > 40 and n % 3 = 0 then created_at - n * interval '1 hour' end,
          'revoked_at', case when n > 40 and n % 3 > 0 then created_at - n * interval '1 hour' end))).*
     from api_key, generate_series(1, 200) n
     where organization_id = $1 and (n % 2 = 0) = (name = 'Production')`,
    id,
  )
  await service.query(
    `insert into member
     select (jsonb_populate_record(member, jsonb_build_object(
          'id', gen_random_uuid(), 'role', case when n % 7 = 0 then 'admin' else 'member' end,
          'email', 'a.very.long.address.of.a.colleague.' || n || '@archives.eastern-branch-office.example.com',
          'created_at', created_at - n * interval '1 day'))).*
     from member, generate_series(1, 60) n where organization_id = $1`,
    id,
  )
  return { name: 'much', owner, paths }
}

/** So that the cycle of its quota is well under way. */
async function age(service: DemoService, organizationId: unknown, by: string): Promise<void> {
  await service.query(
    'update organization set created_at = created_at - $2::interval where id = $1',
    [organizationId, by],
  )
}

/** Submits the same again, the oftener the nearer to now, and has it counted as the service counts. */
async function repeatSubmissions(
  service: DemoService,
  organizationId: unknown,
  times: number,
  over: string,
): Promise<void> {
  await service.query(
    `insert into submission
     select repeated.* from generate_series(1, $2::integer) n,
       lateral (select $3::interval * power(n / $2::float, 2) as ago) past,
       lateral (select (jsonb_populate_record(submission, jsonb_build_object(
          'id', gen_random_uuid(),
          'created_at', created_at - ago,
          'completed_at', completed_at - ago,
          'processing_time_ms', processing_time_ms + n % 97))).*
        from submission where organization_id = $1 and (status = 'SUCCESS' or n % 8 = 0)) repeated`,
    [organizationId, times, over],
  )
  await service.query(
    `update batch set total = counted.total, completed = counted.success, failed = counted.failed, rejected = counted.rejected
     from (select batch_id, ${counts} from submission group by batch_id) counted
     where id = counted.batch_id and organization_id = $1`,
    [organizationId],
  )
  await service.query(
    `insert into document_usage
       (organization_id, cycle_starts_at, documents, submissions, success, failed, rejected, success_processing_ms)
     select organization_id, starts_at, success, total, success, failed, rejected, processing_ms
     from (
       select submission.organization_id, starts_at, ${counts},
              coalesce(sum(processing_time_ms) filter (where status = 'SUCCESS'), 0) as processing_ms
       from submission, lateral (
         select max(cycle_starts_at - make_interval(months => n)) as starts_at
         from document_usage usage, generate_series(0, 24) n
         where usage.organization_id = $1 and cycle_starts_at - make_interval(months => n) <= created_at) cycle
       where organization_id = $1
       group by 1, 2) counted
     on conflict (organization_id, cycle_starts_at) do update
       set documents = excluded.documents, submissions = excluded.submissions, success = excluded.success,
           failed = excluded.failed, rejected = excluded.rejected, success_processing_ms = excluded.success_processing_ms`,
    [organizationId],
  )
}

const counts = `count(*) as total, count(*) filter (where status = 'SUCCESS') as success,
  count(*) filter (where status = 'FAILED') as failed, count(*) filter (where status = 'REJECTED') as rejected`

type Call = (path: string, init?: { method?: string; body?: unknown }) => Promise<unknown>

async function register(service: DemoService, slug: string, orgName: string) {
  const owner = { email: `owner@${slug}.example.com`, password: goodPassword }
  const post = async (path: string, body: unknown) => {
    const response = await service.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as Record<string, never>
  }
  const { organization } = await post('/api/auth/register', {
    orgName,
    orgSlug: `demo-${slug}`,
    ownerEmail: owner.email,
    ownerPassword: owner.password,
  })
  const { access_token: token } = await post('/api/auth/login', owner)
  const call: Call = async (path, { method = 'POST', body = {} } = {}) => {
    const response = await service.fetch(path, {
      method,
      headers: { Authorization: `Bearer ${String(token)}`, 'Content-Type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return response.json()
  }
  return { owner, organizationId: organization?.['id'], call }
}

/** What people and programs do in a few days. */
async function use(service: DemoService, call: Call): Promise<string[]> {
  const key = (await call('/api/portal/api-keys', {
    body: { name: 'Production', scopes: ['normalize', 'read'] },
  })) as { fullKey: string }
  await call('/api/portal/api-keys', { body: { name: 'Reporting', scopes: ['read'] } })
  const webhook = (await call('/api/portal/webhooks', {
    body: {
      url: 'http://localhost:9/hooks/pdfnorm',
      events: ['normalization.success', 'normalization.failure'],
    },
  })) as { id: string }
  await call(`/api/portal/webhooks/${webhook.id}/test`)
  await call('/api/portal/team/invite', { body: { email: 'grace@example.com', role: 'admin' } })

  const headers = { 'X-Api-Key': key.fullKey }
  const batch = (await (
    await service.fetch('/api/batches', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Contracts of 2026' }),
    })
  ).json()) as { batchId: string }

  const script = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'
  const documents: [Uint8Array<ArrayBuffer>, Record<string, string>][] = [
    [pdf({ text: 'Agreement on the delivery of records' }), { batch_id: batch.batchId }],
    [pdf({ text: 'With a script', catalog: script }), { batch_id: batch.batchId }],
    [pdf({ text: 'An invoice', version: '1.4' }), {}],
    [Buffer.concat([pdf({ text: 'With a tail' }), Buffer.from('trailing bytes '.repeat(60))]), {}],
    [pdf({ text: 'Of another age', version: '3.0' }), {}],
    [Buffer.from(`%PDF-1.7\n${'broken '.repeat(200)}`), {}],
  ]
  const paths: string[] = [`/webhooks/${webhook.id}`, `/batches/${batch.batchId}`]
  for (const [bytes, fields] of documents) {
    const form = new FormData()
    form.set('file', new Blob([bytes], { type: 'application/pdf' }), 'in.pdf')
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('idempotency_key', randomUUID())
    const response = await service.fetch('/api/normalize', { method: 'POST', headers, body: form })
    const { submissionId } = (await response.json()) as { submissionId: string }
    paths.push(`/submissions/${submissionId}`)
  }
  return paths
}
