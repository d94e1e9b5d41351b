/** The main job, through openapi-fetch and the types that openapi-typescript made of docs/openapi.json. */
import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import createClient from 'openapi-fetch'
import type { paths } from './pdfnorm.ts'

const address = process.env['PDFNORM'] ?? ''
const document = process.argv[2] ?? ''

function client(token?: string) {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  return createClient<paths>({ baseUrl: address, headers })
}

const visitor = client()
const credentials = { email: 'typescript@example.com', password: 'correct horse battery' }
await visitor.POST('/api/auth/register', {
  body: {
    orgName: 'TypeScript',
    orgSlug: 'typescript-client',
    ownerEmail: credentials.email,
    ownerPassword: credentials.password,
  },
})
const session = await visitor.POST('/api/auth/login', { body: credentials })
const key = await client(session.data?.access_token).POST('/api/portal/api-keys', {
  body: { name: 'first', scopes: ['normalize', 'read'] },
})

const program = client(key.data?.fullKey)
const batch = await program.POST('/api/batches', { body: { name: 'first' } })
const form = new FormData()
form.set('file', await openAsBlob(document, { type: 'application/pdf' }), 'in.pdf')
form.set('idempotency_key', 'order-4711')
form.set('batch_id', batch.data?.batchId ?? '')
const { data: submission } = await program.POST('/api/normalize', {
  body: { file: document, idempotency_key: 'order-4711' },
  bodySerializer: () => form,
})
const hash = submission?.normalized?.sha256 ?? ''
const path = { hash, normalizedSha256: hash }
const report = await program.GET('/api/reports/{hash}', { params: { path } })
const artifact = await program.GET('/api/artifacts/{hash}', {
  params: { path },
  parseAs: 'arrayBuffer',
})
const certificate = await program.GET('/api/certificates/{normalizedSha256}', {
  params: { path },
  parseAs: 'text',
})
const refused = await program.GET('/api/reports/{hash}', {
  params: { path: { hash: '0'.repeat(64) } },
})

console.log(
  JSON.stringify({
    status: submission?.status,
    javascriptRemoved: submission?.security.javascriptRemoved,
    sha256: hash,
    artifact: createHash('sha256')
      .update(new Uint8Array(artifact.data ?? new ArrayBuffer()))
      .digest('hex'),
    stages: report.data?.stages.length,
    certificateParts: certificate.data?.split('.').length,
    batch: batch.data?.status,
    refusal: refused.error?.code,
  }),
)
