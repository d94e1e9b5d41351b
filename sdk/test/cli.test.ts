import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { pdfnorm } from './command-line.ts'
import {
  type Answer,
  formOf,
  problem,
  type Received,
  type Script,
  scriptedService,
} from './scripted-service.ts'
import { keyPair, signatureOf } from './signer.ts'
import { unwrap } from '../src/webhooks.ts'

const original = Buffer.from('%PDF-1.4 original')
const normalized = Buffer.from('%PDF-1.7 normalized')
const hash = createHash('sha256').update(normalized).digest('hex')
const submissionId = '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11'
const signer = keyPair('first')
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdfnorm-cli-'))
  await writeFile(join(folder, 'in.pdf'), original)
  onTestFinished(() => rm(folder, { recursive: true }))
})

describe('normalize', () => {
  test('writes the file beside the original, and its certificate', async () => {
    const { received, run } = await service(goodService())
    const finished = await run(['normalize', 'in.pdf', '--certificate', '--region', 'eu-central-1'])

    expect(finished).toMatchObject({ code: 0, stderr: '' })
    expect(finished.stdout).toMatch(/^in\.pdf → in\.normalized\.pdf {2}1 KiB, 42 ms, sha256:/)
    expect(finished.stdout).toContain('Helvetica (NON_EMBEDDED_FONT)')
    expect(await readFile(join(folder, 'in.normalized.pdf'))).toEqual(normalized)
    expect(await readFile(join(folder, 'in.normalized.pdf.jws'), 'utf8')).toBe(certificate())
    const form = await formOf(received[0])
    expect(form.get('region')).toBe('eu-central-1')
    expect(received[0]?.headers['x-api-key']).toBe('pdfnorm_key')
  })

  test('reads a pipe and writes one, and then standard output is the file alone', async () => {
    const { run } = await service(goodService())
    const finished = await run(['normalize', '-', '-o', '-'], { input: original })
    expect(finished).toMatchObject({ code: 0, stdout: normalized.toString() })
    expect(finished.stderr).toContain('sha256:')
  })

  test('takes many files, tells each, and ends with the gravest of their exit codes', async () => {
    await mkdir(join(folder, 'out'))
    await writeFile(join(folder, 'signed.pdf'), '%PDF-1.4 signed')
    await writeFile(join(folder, 'broken.pdf'), '%PDF-1.4 broken')
    const { run } = await service(goodService())
    const files = ['in.pdf', 'signed.pdf', 'broken.pdf']
    const finished = await run(['normalize', ...files, '-d', 'out', '--json'])

    const lines = finished.stdout.trim().split('\n')
    const results: Record<string, unknown>[] = lines.map((line) => JSON.parse(line))
    expect(
      results.sort((a, b) => (String(a['input']) < String(b['input']) ? -1 : 1)),
    ).toMatchObject([
      { input: 'broken.pdf', status: 'FAILED', output: null, failure: { code: 'MALFORMED_PDF' } },
      {
        input: 'in.pdf',
        status: 'SUCCESS',
        output: join('out', 'in.pdf'),
        outputHash: `sha256:${hash}`,
      },
      { input: 'signed.pdf', status: 'REJECTED', advice: expect.stringContaining('strip') },
    ])
    expect(finished.code).toBe(6)
    expect(await readdir(join(folder, 'out'))).toEqual(['in.pdf'])
  })

  test.each([
    ['signed', 5, /in\.pdf: REJECTED .*POLICY_REJECTION.*\n.*--signed-pdf-policy/],
    ['broken', 6, /in\.pdf: FAILED .*MALFORMED_PDF/],
  ])('of a %s document ends with %d and says why', async (kind, code, text) => {
    await writeFile(join(folder, 'in.pdf'), `%PDF-1.4 ${kind}`)
    const { run } = await service(goodService())
    const finished = await run(['normalize', 'in.pdf'])
    expect(finished.code).toBe(code)
    expect(finished.stdout).toMatch(text)
  })

  test.each([
    [401, 'INVALID_API_KEY', 3, 'pdfnorm login'],
    [403, 'INSUFFICIENT_SCOPE', 3, 'normalize and read'],
    [402, 'QUOTA_EXCEEDED', 4, 'billing cycle'],
    [429, 'RATE_LIMITED', 8, 'Worth trying in 3600 s.'],
    [400, 'INVALID_FILE', 1, '%PDF-'],
    [422, 'IDEMPOTENCY_KEY_REUSED', 1, '--idempotency-key'],
  ])('refused with %d %s ends with %d and says what to do', async (status, code, exit, advice) => {
    const { run } = await service(() => problem(status, code, { 'retry-after': 3600 }))
    const finished = await run(['normalize', 'in.pdf'])
    expect(finished.code).toBe(exit)
    expect(finished.stderr).toContain(`in.pdf: Refused with ${code} (${code})`)
    expect(finished.stderr).toContain(advice)
    expect(finished.stderr).toContain('request id: req-1')
  })

  test('sends no further file when the key or the quota is at its end', async () => {
    await writeFile(join(folder, 'b.pdf'), original)
    const { received, run } = await service(() => problem(402, 'QUOTA_EXCEEDED'))
    const finished = await run(['normalize', 'in.pdf', 'b.pdf', '--concurrency', '1'])
    expect(finished.code).toBe(4)
    expect(finished.stderr).toContain('1 of 2 files were not sent')
    expect(received).toHaveLength(1)
  })

  test('ends with 8 when nobody answers, and says with which key to go on', async () => {
    const finished = await pdfnorm(
      ['normalize', 'in.pdf', '--idempotency-key', 'order-1', '--json'],
      {
        folder,
        environment: { PDFNORM_BASE_URL: 'http://127.0.0.1:1' },
      },
    )
    expect(finished.code).toBe(8)
    expect(JSON.parse(finished.stdout)).toMatchObject({
      input: 'in.pdf',
      status: 'ERROR',
      error: { code: 'CONNECTION_FAILED', idempotencyKey: 'order-1' },
    })
  })

  test('leaves nothing behind when the download is not the right file', async () => {
    const { run } = await service(goodService({ file: () => ({ body: '%PDF-1.7 another' }) }))
    const finished = await run(['normalize', 'in.pdf'])
    expect(finished.code).toBe(7)
    expect(finished.stderr).toContain('HASH_MISMATCH')
    expect(await readdir(folder)).toEqual(['in.pdf'])
  })

  test('leaves nothing behind when it is interrupted', async () => {
    let interrupt = (): void => {}
    const file = (): Answer => {
      interrupt()
      return { body: normalized, cutAfter: 5 }
    }
    const { run } = await service(goodService({ file }))
    const finished = await run(['normalize', 'in.pdf'], {
      onStart: (kill) => (interrupt = () => kill('SIGINT')),
    })
    expect(finished.code).toBe(130)
    expect(await readdir(folder)).toEqual(['in.pdf'])
  })

  test.each([
    [['normalize'], 'Which PDF'],
    [['normalize', 'in.pdf', '--signed-pdf-policy', 'ignore'], 'reject, strip, preserve'],
    [['normalize', 'in.pdf', '-o', 'in.pdf'], 'is an input'],
    [['normalize', 'in.pdf', './in.pdf', '-d', 'out'], 'would both be written'],
    [['normalize', 'in.pdf', 'b.pdf', '-o', 'out.pdf'], '--output-dir'],
    [['normalize', 'in.pdf', '--timeout', 'soon'], 'whole number'],
    [['normalize', 'in.pdf', '--colour'], '--colour'],
    [['normalise', 'in.pdf'], 'no command normalise'],
    [['verify', 'in.pdf'], 'Whose keys'],
  ])('%j is told to be wrong, and nothing is sent', async (args, text) => {
    const environment = args[0] === 'verify' ? {} : { PDFNORM_BASE_URL: 'http://127.0.0.1:1' }
    const finished = await pdfnorm(args, { folder, environment })
    expect(finished.code).toBe(2)
    expect(finished.stderr).toContain(text)
    expect(await readdir(folder)).toEqual(['in.pdf'])
  })

  test('a file that is not there is told', async () => {
    const { received, run } = await service(goodService())
    const finished = await run(['normalize', 'missing.pdf'])
    expect(finished.code).toBe(1)
    expect(finished.stderr).toMatch(/^missing\.pdf: ENOENT/)
    expect(received).toHaveLength(0)
  })
})

describe('verify', () => {
  beforeEach(async () => {
    await writeFile(join(folder, 'out.pdf'), normalized)
    await writeFile(join(folder, 'out.pdf.jws'), certificate())
    await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys: [signer.publicKey] }))
  })

  test('says of a file with its certificate and keys at hand that it is genuine, and asks nobody', async () => {
    const finished = await pdfnorm(['verify', 'out.pdf', '--keys', 'keys.json'], { folder })
    expect(finished).toMatchObject({ code: 0, stderr: '' })
    expect(finished.stdout).toContain('out.pdf: valid')
    expect(finished.stdout).toContain('0'.repeat(64))
  })

  test('says that a changed file is not what was certified', async () => {
    await writeFile(join(folder, 'out.pdf'), `${normalized.toString()} `)
    const finished = await pdfnorm(['verify', 'out.pdf', '-k', 'keys.json', '--json'], { folder })
    expect(finished.code).toBe(7)
    expect(JSON.parse(finished.stdout)).toMatchObject({
      pdf: 'out.pdf',
      valid: false,
      error: { code: 'HASH_MISMATCH' },
    })
  })

  test('says that a certificate of somebody else is none', async () => {
    const others = { keys: [keyPair('first').publicKey] }
    await writeFile(join(folder, 'keys.json'), JSON.stringify(others))
    const finished = await pdfnorm(['verify', 'out.pdf', '-k', 'keys.json'], { folder })
    expect(finished.code).toBe(7)
    expect(finished.stderr).toContain('CERTIFICATE_INVALID')
    expect(finished.stderr).toContain('Do not rely on it')
  })

  test('gets keys and certificate of the service when they are not at hand', async () => {
    await rm(join(folder, 'out.pdf.jws'))
    const { received, run } = await service(goodService())
    expect(await run(['verify', 'out.pdf'])).toMatchObject({ code: 0 })
    expect(received.map(({ url }) => url)).toEqual([
      `/api/certificates/${hash}`,
      '/.well-known/attestation-keys.json',
    ])
  })
})

describe('login', () => {
  test('keeps address and key where nobody else can read them, and later commands use them', async () => {
    const { baseUrl, received } = await scriptedService(goodService())
    const key = apiKey()
    const login = await pdfnorm(['login', '--base-url', `${baseUrl}/`], {
      folder,
      input: `${key}\n`,
    })
    expect(login).toMatchObject({ code: 0 })
    const path = join(folder, '.config/pdfnorm/credentials.json')
    expect(login.stdout + login.stderr).not.toContain(key)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ baseUrl, apiKey: key })

    expect(await pdfnorm(['normalize', 'in.pdf', '-q'], { folder })).toMatchObject({
      code: 0,
      stdout: '',
    })
    expect(received.at(-1)?.headers['x-api-key']).toBe(key)
    await pdfnorm(['normalize', 'in.pdf'], {
      folder,
      environment: { PDFNORM_API_KEY: 'pdfnorm_other' },
    })
    expect(received.at(-1)?.headers['x-api-key']).toBe('pdfnorm_other')

    const elsewhere = await scriptedService(goodService())
    await pdfnorm(['normalize', 'in.pdf', '--base-url', elsewhere.baseUrl], { folder })
    expect(elsewhere.received[0]?.headers).not.toHaveProperty('x-api-key')

    expect(await pdfnorm(['logout'], { folder })).toMatchObject({ code: 0 })
    expect(await pdfnorm(['normalize', 'in.pdf'], { folder })).toMatchObject({ code: 2 })
  })

  test('notices a mistyped key before anything is sent', async () => {
    const { baseUrl, received } = await scriptedService(goodService())
    const [last] = apiKey().slice(-1)
    const mistyped = apiKey().slice(0, -1) + (last === 'a' ? 'b' : 'a')
    const login = await pdfnorm(['login', '--base-url', baseUrl], { folder, input: mistyped })
    expect(login.code).toBe(2)
    expect(received).toHaveLength(0)
  })

  test('keeps no key that the service refuses', async () => {
    const { baseUrl } = await scriptedService(() => problem(401, 'INVALID_API_KEY'))
    const login = await pdfnorm(['login', '--base-url', baseUrl], { folder, input: apiKey() })
    expect(login.code).toBe(3)
    expect(await readdir(folder)).toEqual(['in.pdf'])
  })
})

describe('listen', () => {
  const events = (...ids: string[]): Answer => ({
    body: { items: ids.map(eventOf), page: 1, page_size: 100 },
  })

  test('tells each end once, waits while the service is away, and ends with a refused key', async () => {
    const { received, run } = await service(
      () => ({ headers: { date: 'Sun, 01 Nov 2026 09:30:00 GMT' }, body: { keys: [] } }),
      () => events('a'),
      () => events('a', 'b'),
      () => problem(500, 'INTERNAL_ERROR'),
      () => problem(500, 'INTERNAL_ERROR'),
      () => problem(500, 'INTERNAL_ERROR'),
      () => events('b', 'c'),
      () => problem(401, 'INVALID_API_KEY'),
    )
    const { code, stdout, stderr } = await run(['listen', '--interval', '0.01', '--json'])
    const told: { data: { submissionId: string } }[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(told.map(({ data }) => data.submissionId)).toEqual(['a', 'b', 'c'])
    expect(stderr).toMatch(/INTERNAL_ERROR[^]*INVALID_API_KEY/)
    expect(code).toBe(3)
    // From the service's own time on; later from before the newest that is known.
    const asked = received.slice(1).map(({ url }) => new URL(url, 'http://localhost').searchParams)
    expect(asked[0]?.get('after')).toBe('2026-11-01T09:30:00.000Z')
    expect(asked[6]?.get('after')).toBe('2026-11-01T10:29:33.000Z')
  })

  test('tells what the receiver answers, and that there is none', async () => {
    const receiver = await scriptedService(
      () => ({ status: 500 }),
      () => 'drop',
    )
    const { run } = await service(
      () => events('a', 'b'),
      () => problem(401, 'INVALID_API_KEY'),
    )
    const since = ['--since', '2026-11-01T00:00:00Z', '--interval', '0.01']
    const { stdout, stderr } = await run(['listen', '-f', `${receiver.baseUrl}/hook`, ...since])
    expect(stdout).toMatch(/normalization\.success {2}a {2}→ 500\n.* {2}b {2}→ \w+/)
    const [secret = ''] = /whsec_\S+/.exec(stderr) ?? []
    const [sent] = receiver.received
    expect(await unwrap(sent?.body ?? '', sent?.headers ?? {}, secret)).toMatchObject({
      event: 'normalization.success',
    })
  })

  test.each([
    [['--forward-to', 'localhost:4000'], '--forward-to'],
    [['--since', 'yesterday'], '--since'],
    [['--interval', '-1'], '--interval'],
    [['in.pdf'], 'no files'],
  ])('%j is told to be wrong', async (args, text) => {
    const { run } = await service(goodService())
    const finished = await run(['listen', ...args])
    expect(finished.code).toBe(2)
    expect(finished.stderr).toContain(text)
  })
})

test('help tells commands and exit codes', async () => {
  const { code, stdout } = await pdfnorm(['help'], { folder })
  expect(code).toBe(0)
  expect(stdout).toMatch(/normalize[^]*verify[^]*login[^]*Exit codes/)
})

type Run = (
  args: readonly string[],
  options?: Omit<Parameters<typeof pdfnorm>[1], 'folder'>,
) => ReturnType<typeof pdfnorm>

async function service(...scripts: Script[]): Promise<{ received: Received[]; run: Run }> {
  const { baseUrl, received } = await scriptedService(...scripts)
  const environment = { PDFNORM_BASE_URL: baseUrl, PDFNORM_API_KEY: 'pdfnorm_key' }
  return { received, run: (args, options) => pdfnorm(args, { folder, environment, ...options }) }
}

/** Normalizes everything but what says that it is signed or broken. */
function goodService({ file = (): Answer => ({ body: normalized }) } = {}): Script {
  const bodies = new Map<string, object>()
  return ({ url, body }) => {
    if (url === '/api/normalize') {
      const [, kind = 'original'] = /%PDF-1\.4 (\w+)/.exec(body.toString('latin1')) ?? []
      const id = `${kind}-${submissionId}`
      bodies.set(id, submission(id, kind))
      return { body: { submissionId: id, status: 'PENDING' } }
    }
    if (url.startsWith('/api/submissions/')) return { body: bodies.get(url.slice(17)) }
    if (url.startsWith('/api/artifacts/')) return file()
    if (url.startsWith('/api/certificates/')) return { body: certificate() }
    if (url.startsWith('/.well-known/')) return { body: { keys: [signer.publicKey] } }
    return { body: { items: [], page: 1, page_size: 1 } }
  }
}

/** The end of a submission whose id is a letter: an hour after the service's time, and its seconds. */
function eventOf(id: string): object {
  const timestamp = new Date(Date.UTC(2026, 10, 1, 10, 30, id.charCodeAt(0) - 96)).toISOString()
  return {
    event: 'normalization.success',
    timestamp,
    data: { submissionId: id, status: 'SUCCESS' },
  }
}

function submission(id: string, kind: string): object {
  const common = { submissionId: id, processingTimeMs: 42, warnings: [] }
  const failure = (code: string) => ({ code, message: 'It cannot be.', stage: null })
  if (kind === 'signed')
    return { ...common, status: 'REJECTED', failure: failure('POLICY_REJECTION') }
  if (kind === 'broken') return { ...common, status: 'FAILED', failure: failure('MALFORMED_PDF') }
  return {
    ...common,
    status: 'SUCCESS',
    outputHash: `sha256:${hash}`,
    outputSizeBytes: normalized.length,
    warnings: [{ code: 'NON_EMBEDDED_FONT', message: 'Helvetica' }],
  }
}

function certificate(): string {
  const header = { alg: 'ES256', kid: 'first', typ: 'normalization-certificate+jwt' }
  const claims = {
    iss: 'https://pdfnorm.example',
    sub: `sha256:${hash}`,
    jti: submissionId,
    originalSha256: '0'.repeat(64),
    normalizedSha256: hash,
    processedAt: '2026-11-01T09:30:00.000Z',
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part(header)}.${part(claims)}`
  certificateText ??= `${signed}.${signatureOf(signer, signed, 'ieee-p1363').toString('base64url')}`
  return certificateText
}

let certificateText: string | undefined

/** Its form is the service's: six characters at the end are the checksum of thirty. */
function apiKey(): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const secret = 'a1'.repeat(15)
  let rest = crc32(secret)
  let checksum = ''
  for (let place = 0; place < 6; place++) {
    checksum = (digits[rest % 62] ?? '') + checksum
    rest = Math.floor(rest / 62)
  }
  return `pdfnorm_${secret}${checksum}`
}
