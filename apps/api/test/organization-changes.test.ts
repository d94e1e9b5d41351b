import { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joinTestOrganization } from './member.ts'
import { tokenMailedTo } from './mailbox.ts'
import {
  goodPassword,
  jsonPost,
  postJson,
  registerTestOrganization,
  registration,
  type TestOrganization,
} from './organization.ts'
import { pdf } from './pdf.ts'
import { normalized, registerSubmitter } from './submitter.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ work: true })
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the name and the slug', () => {
  test('are changed together, and the internal name stays', async () => {
    const organization = await registerTestOrganization(server)
    const before = await read(organization)
    const slug = `${organization.slug}-2`
    const name = 'Ärger & Söhne <GmbH> “日本”'
    const response = await put(organization, '', { name: `  ${name} `, slug })

    expect(response.status).toBe(200)
    const changed = OrganizationResponse.parse(await response.json())
    expect(changed).toEqual({ ...before, name, slug })
    expect(await read(organization)).toEqual(changed)
    // The former slug is free, and the own one may be sent again.
    expect((await put(organization, '', { name, slug })).status).toBe(200)
    const other = registration(organization.slug, `x-${organization.owner.email}`)
    expect((await postJson(server, '/api/auth/register', other)).status).toBe(200)
  })

  test('of two that take one slug at the same moment one gets it', async () => {
    const organizations = await Promise.all([1, 2, 3].map(() => registerTestOrganization(server)))
    const slug = `race-${Date.now()}`
    const answers = await Promise.all(
      organizations.map((organization) => put(organization, '', { name: 'Race', slug })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    const names = await Promise.all(organizations.map(async (one) => (await read(one)).name))
    expect(names.toSorted()).toEqual(['Race', 'Test', 'Test'])
  })

  const cases: [string, string, Record<string, unknown>][] = [
    ['a reserved slug', 'SLUG_TAKEN', { slug: 'portal' }],
    ['a slug in upper case', 'VALIDATION_ERROR', { slug: 'Upper' }],
    ['a slug of two characters', 'VALIDATION_ERROR', { slug: 'ab' }],
    ['a slug of 51 characters', 'VALIDATION_ERROR', { slug: 'a'.repeat(51) }],
    ['a slug with a line break at its end', 'VALIDATION_ERROR', { slug: 'abc\n' }],
    ['no slug', 'VALIDATION_ERROR', { slug: undefined }],
    ['an empty name', 'VALIDATION_ERROR', { name: '  ' }],
    ['a name of 201 characters', 'VALIDATION_ERROR', { name: 'n'.repeat(201) }],
    ['a name with a header', 'VALIDATION_ERROR', { name: 'Acme\r\nBcc: x@example.com' }],
    ['a name with U+0000', 'VALIDATION_ERROR', { name: 'a\u0000b' }],
    ['a name with U+2028', 'VALIDATION_ERROR', { name: 'a\u2028b' }],
    ['half a character', 'VALIDATION_ERROR', { name: 'a\ud800b' }],
    ['a number for a name', 'VALIDATION_ERROR', { name: 7 }],
  ]
  test.each(cases)('are not changed to %s: %s', async (_case, code, change) => {
    const organization = await registerTestOrganization(server)
    const before = await read(organization)
    const body = { name: 'Changed', slug: `${organization.slug}-2`, ...change }
    expect(await codeOf(400, put(organization, '', body))).toBe(code)
    expect(await read(organization)).toEqual(before)
  })

  test('are not changed to the slug of another organization', async () => {
    const one = await registerTestOrganization(server)
    const other = await registerTestOrganization(server)
    const body = { name: 'Changed', slug: other.slug }
    expect(await codeOf(400, put(one, '', body))).toBe('SLUG_TAKEN')
    expect(await read(one)).toMatchObject({ name: 'Test', slug: one.slug })
  })
})

describe('the settings', () => {
  test('are changed one by one: what is left out stays', async () => {
    const organization = await registerTestOrganization(server)
    const before = await read(organization)
    const change = async (body: unknown) =>
      OrganizationResponse.parse(await (await put(organization, '/settings', body)).json())

    expect(await change({})).toEqual(before)
    expect(await change({ contact_email: null })).toEqual({ ...before, contactEmail: null })
    expect(await change({ contact_email: 'money@example.com' })).toMatchObject({
      contactEmail: 'money@example.com',
    })
    expect(await change({ default_region: 'eu-central-1' })).toMatchObject({
      defaultRegion: 'eu-central-1',
      contactEmail: 'money@example.com',
    })
    const twice = ['eu-central-1', 'us-east-2', 'eu-central-1']
    expect(await change({ allowed_regions: twice })).toMatchObject({
      defaultRegion: 'eu-central-1',
      allowedRegions: ['eu-central-1', 'us-east-2'],
    })
    expect(await change({ default_region: null })).toMatchObject({ defaultRegion: null })
    const both = { default_region: 'ca-central-1', allowed_regions: ['ca-central-1'] }
    expect(await change(both)).toMatchObject({
      defaultRegion: 'ca-central-1',
      allowedRegions: ['ca-central-1'],
    })
  })

  test('decide where documents are stored', async () => {
    const submitter = await registerSubmitter(server)
    const { organization } = submitter
    await put(organization, '/settings', {
      default_region: 'eu-central-1',
      allowed_regions: ['us-east-2', 'eu-central-1'],
    })
    await normalized(submitter.submit(pdf({ text: organization.slug })))
    expect(
      await server.database.query('select region from submission where organization_id = $1', [
        organization.id,
      ]),
    ).toEqual([{ region: 'eu-central-1' }])
    const elsewhere = submitter.submit(pdf({ text: 'elsewhere' }), { region: 'ca-central-1' })
    expect(await codeOf(400, elsewhere)).toBe('REGION_NOT_ALLOWED')
  })

  const cases: [string, string, unknown][] = [
    ['an unknown region', 'INVALID_REGION', { default_region: 'moon-1' }],
    ['an unknown region among others', 'INVALID_REGION', { allowed_regions: ['us-east-2', 'x'] }],
    ['no region at all', 'INVALID_REGION', { allowed_regions: [] }],
    ['one region that is no list', 'VALIDATION_ERROR', { allowed_regions: 'us-east-2' }],
    ['a malformed address', 'INVALID_EMAIL', { contact_email: 'nobody' }],
    ['a header in the address', 'INVALID_EMAIL', { contact_email: 'a@example.com\r\nBcc: b@c.de' }],
    ['an address that is too long', 'INVALID_EMAIL', { contact_email: `${'a'.repeat(250)}@b.co` }],
    [
      'a default that is not allowed with it',
      'REGION_NOT_ALLOWED',
      {
        contact_email: 'n@example.com',
        default_region: 'us-east-2',
        allowed_regions: ['ca-central-1'],
      },
    ],
    [
      'allowed regions without the default that stays',
      'REGION_NOT_ALLOWED',
      { contact_email: 'n@example.com', allowed_regions: ['us-east-2'] },
    ],
    ['two kinds of faults', 'VALIDATION_ERROR', { default_region: 'x', contact_email: 'x' }],
  ]
  test.each(cases)('are not changed at all with %s: %s', async (_case, code, body) => {
    const organization = await registerTestOrganization(server)
    await put(organization, '/settings', { default_region: 'eu-central-1' })
    const before = await read(organization)
    expect(await codeOf(400, put(organization, '/settings', body))).toBe(code)
    expect(await read(organization)).toEqual(before)
  })
})

describe('deactivating the organization', () => {
  test('is for good: keys end, nothing changes any more, reading goes on', async () => {
    const organization = await registerTestOrganization(server)
    const admin = await joinTestOrganization(server, organization, 'admin')
    const { fullKey } = await organization.createKey()
    const path = '/api/portal/organization/deactivate'
    const refused = admin.fetch(path, { method: 'POST' })
    expect(await codeOf(403, refused)).toBe('INSUFFICIENT_ROLE')

    const response = await organization.fetch(path, { method: 'POST' })
    expect(response.status).toBe(200)
    expect(OrganizationResponse.parse(await response.json())).toMatchObject({
      id: organization.id,
      isActive: false,
    })

    const headers = { 'X-Api-Key': fullKey }
    const withKey = server.fetch(`/api/reports/${'0'.repeat(64)}`, { headers })
    expect(await codeOf(401, withKey)).toBe('INVALID_API_KEY')
    const keys = await organization.fetch('/api/portal/api-keys')
    expect(await keys.json()).toMatchObject([{ isActive: false }])
    for (const change of [
      organization.fetch(path, { method: 'POST' }),
      put(organization, '', { name: 'Back', slug: 'back' }),
      put(organization, '/settings', {}),
      organization.fetch('/api/portal/api-keys', jsonPost({ name: 'k', scopes: ['read'] })),
      organization.fetch('/api/portal/team/invite', jsonPost({ email: 'a@b.co', role: 'member' })),
      organization.fetch(`/api/portal/team/${admin.id}`, { method: 'DELETE' }),
    ]) {
      expect(await codeOf(403, change)).toBe('ORGANIZATION_INACTIVE')
    }
    expect((await admin.fetch('/api/portal/organization')).status).toBe(200)
    expect((await organization.fetch('/api/portal/team')).status).toBe(200)
    expect((await postJson(server, '/api/auth/login', organization.owner)).status).toBe(200)
  })

  test('happens once, and touches no other organization', async () => {
    const other = await registerTestOrganization(server)
    const { fullKey } = await other.createKey()
    const organization = await registerTestOrganization(server)
    const path = '/api/portal/organization/deactivate'
    const answers = await Promise.all(
      [1, 2, 3].map(() => organization.fetch(path, { method: 'POST' })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403])
    const headers = { 'X-Api-Key': fullKey }
    expect((await server.fetch(`/api/reports/${'0'.repeat(64)}`, { headers })).status).toBe(404)
    expect(await read(other)).toMatchObject({ isActive: true })
  })

  test('ends open invitations', async () => {
    const organization = await registerTestOrganization(server)
    const email = `${organization.slug}@invited.example.com`
    await organization.fetch('/api/portal/team/invite', jsonPost({ email, role: 'member' }))
    const token = await tokenMailedTo(server, email)
    await organization.fetch('/api/portal/organization/deactivate', { method: 'POST' })
    const accepted = postJson(server, '/api/auth/accept-invite', { token, password: goodPassword })
    expect(await codeOf(403, accepted)).toBe('ORGANIZATION_INACTIVE')
  })

  test('lets documents that were accepted end', async () => {
    const submitter = await registerSubmitter(server)
    const { organization } = submitter
    const bytes = pdf({ text: organization.slug })
    const { submissionId } = await normalized(
      submitter.submit(bytes, {}, { Prefer: 'respond-async' }),
      202,
    )
    await organization.fetch('/api/portal/organization/deactivate', { method: 'POST' })
    const status = () =>
      server.database.query('select status from submission where id = $1', [submissionId])
    await expect.poll(status, { interval: 25, timeout: 20_000 }).toEqual([{ status: 'SUCCESS' }])
  })
})

function put({ fetch }: TestOrganization, path: '' | '/settings', body: unknown) {
  return fetch(`/api/portal/organization${path}`, { ...jsonPost(body), method: 'PUT' })
}

async function read({ fetch }: TestOrganization): Promise<OrganizationResponse> {
  return OrganizationResponse.parse(await (await fetch('/api/portal/organization')).json())
}

async function codeOf(status: number, answer: Promise<Response>): Promise<string> {
  const response = await answer
  const problem = Problem.parse(await response.json())
  expect([response.status, problem.code]).toEqual([status, problem.code])
  return problem.code
}
