import { once } from 'node:events'
import { existsSync, openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeDocument } from '../test/first-document.ts'
import { CommandError, hasCommand, run } from './command.ts'
import { startService } from './service.ts'

/**
 * Lets Schemathesis make requests out of the OpenAPI document, valid and invalid ones, send them to a live service,
 * and compare every answer with the document: no status, header, media type or body that is not described, no
 * fault of the server, nothing invalid that is accepted, nothing without credentials that is answered.
 *
 * `npm run properties`, with `-- --seed N --examples N` for other requests and more of them. Exit code 1 if it finds
 * something; 0, and a word, where Python is not installed.
 */
const version = '4.32.5'
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    examples: { type: 'string', default: '20' },
  },
})

/** After one of these the credentials are good for nothing, hence they come last, each with an organization. */
const last = ['logout', 'deactivateOrganization', 'requestAccountDeletion']

/** Checks that hold for every operation; those left out ask for more than the document says. */
const checks = [
  '[checks]',
  '# Whether a well-formed request can also be met, does not follow from the document.',
  'positive_data_acceptance.enabled = false',
  '# /team/invite is also a /team/{userId}: what that path takes is answered with 404 there.',
  'allow_header_conformance.enabled = false',
  'unsupported_method.enabled = false',
  '# A JWS in compact serialization has the media type of a JSON one (interface, section 4.5).',
  '[[operations]]',
  'include-operation-id = "getCertificate"',
  'checks.response_schema_conformance.enabled = false',
  '# Booleans of a form may also be 1 and 0 (decision 2.6).',
  '[[operations]]',
  'include-operation-id = "normalizePdf"',
  'checks.negative_data_rejection.enabled = false',
]

if (hasCommand('python3')) {
  const folder = await mkdtemp(join(tmpdir(), 'pdfnorm-properties-'))
  const document = join(folder, 'in.pdf')
  await writeDocument(document)
  const service = await startService(folder)
  try {
    const program = await install()
    const only = (ids: readonly string[]) => ids.flatMap((id) => ['--include-operation-id', id])
    const all = last.flatMap((id) => ['--exclude-operation-id', id])
    await test(program, folder, service.address, document, 'most', all)
    for (const id of last) await test(program, folder, service.address, document, id, only([id]))
  } finally {
    const ended = once(service.process, 'exit')
    service.process.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
} else {
  console.log('Nothing was run: Schemathesis needs python3.')
}

async function install(): Promise<string> {
  const venv = join(import.meta.dirname, '.generated', 'schemathesis')
  const program = join(venv, 'bin', 'schemathesis')
  if (existsSync(program)) return program
  await mkdir(venv, { recursive: true })
  await run('python3', ['-m', 'venv', venv])
  await run(join(venv, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${version}`])
  return program
}

async function test(
  program: string,
  folder: string,
  address: string,
  document: string,
  name: string,
  selection: readonly string[],
): Promise<void> {
  const settings = join(folder, `${name}.toml`)
  await writeFile(settings, await settingsFor(address, document, name.toLowerCase()))
  const report = await run(program, [
    ['--config-file', settings, 'run', `${address}/api/openapi.json`],
    ['--seed', options.seed, '--max-examples', options.examples],
    selection,
  ]).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    process.exitCode = 1
    return error.message
  })
  console.log(`${name}:\n${process.exitCode === 1 ? report : summaryOf(report)}\n`)
}

function summaryOf(report: string): string {
  const [, summary = report] = report.split(/=+ SUMMARY =+\n/)
  return summary.trim()
}

/** An organization of its own with a normalized document, so that requests meet something. */
async function settingsFor(address: string, document: string, slug: string): Promise<string> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(address + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Record<string, string>
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  const credentials = { email: `${slug}@example.com`, password: 'correct horse battery' }
  await post('/api/auth/register', {
    orgName: slug,
    orgSlug: slug,
    ownerEmail: credentials.email,
    ownerPassword: credentials.password,
  })
  const { access_token: token } = await post('/api/auth/login', credentials)
  const bearer = { Authorization: `Bearer ${token}` }
  const key = { name: 'properties', scopes: ['normalize', 'read'] }
  const { fullKey = '' } = await post('/api/portal/api-keys', key, bearer)

  const form = new FormData()
  form.set('file', await openAsBlob(document), 'in.pdf')
  const upload = { method: 'POST', headers: { 'X-Api-Key': fullKey }, body: form }
  const response = await fetch(`${address}/api/normalize`, upload)
  const submission = (await response.json()) as {
    submissionId: string
    normalized: { sha256: string }
  }
  const { sha256 } = submission.normalized

  return [
    `base-url = "${address}"`,
    '[auth.openapi.apiKey]',
    `api_key = "${fullKey}"`,
    '[auth.openapi.accessToken]',
    `bearer = "${token}"`,
    '[parameters]',
    `"path.hash" = "${sha256}"`,
    `"path.normalizedSha256" = "${sha256}"`,
    `"path.submissionId" = "${submission.submissionId}"`,
    ...checks,
  ].join('\n')
}
