import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { normalize } from '../src/normalize.ts'
import { defaultOptions } from '../src/options.ts'
import type { NormalizedOutcome } from '../src/outcome.ts'
import { validateByVerapdf } from '../src/pdfa/external/validate-by-verapdf.ts'
import { readVerapdfReport } from '../src/pdfa/external/verapdf-report.ts'
import { type PdfaValidatorChoice, readPdfaSettings } from '../src/pdfa/pdfa-settings.ts'
import { pdfaDocument } from './fixture/pdfa-document.ts'

/** As veraPDF 1.30.2 answers, shortened; rules that failed come in no order. */
const refuted = report({
  details: {
    passedRules: 141,
    failedRules: 3,
    ruleSummaries: [
      summary('6.6.4', 2, 'About metadata', 'root/document[0]/metadata[0](5 0 obj PDMetadata)'),
      summary(
        '6.2.11.4.1',
        1,
        'About fonts',
        'root/document[0]/pages[2](12 0 obj PDPage)/contentStream[0]/font[0](17 1 obj PDFont)',
      ),
      summary('6.2.4.3', 4, 'About colour', 'root', 12),
    ],
  },
  jobEndStatus: 'normal',
  compliant: false,
})

const accepted = report({
  details: { passedRules: 144, failedRules: 0, ruleSummaries: [] },
  jobEndStatus: 'normal',
  compliant: true,
})

const unread = JSON.stringify({
  report: {
    buildInformation: { releaseDetails: [{ id: 'core', version: '1.30.2' }] },
    jobs: [{ taskException: { exception: "Couldn't parse stream", type: 'PARSE' } }],
  },
})

describe('a report of veraPDF', () => {
  test('gives its failed rules in the order of the clauses, with their places', () => {
    const { engine, verdict } = readVerapdfReport(refuted, '2b')
    expect(engine).toBe('veraPDF 1.30.2')
    expect(verdict).toEqual({
      flavour: '2b',
      completed: true,
      compliant: false,
      errors: [
        'ISO 19005-2:2011 6.2.4.3 t4: About colour; 11 more like this',
        'ISO 19005-2:2011 6.2.11.4.1 t1: About fonts (object 17 1, page 3)',
        'ISO 19005-2:2011 6.6.4 t2: About metadata (object 5 0)',
      ],
    })
  })

  test('may begin with what the Java machine has to say', () => {
    const { verdict } = readVerapdfReport(`Picked up JAVA_TOOL_OPTIONS\n${accepted}`, '2b')
    expect(verdict).toMatchObject({ completed: true, compliant: true, errors: [] })
  })

  test('about a file that veraPDF cannot read is a validation that did not end', () => {
    const { verdict } = readVerapdfReport(unread, '2b')
    expect(verdict).toMatchObject({ completed: false, compliant: false })
    expect(verdict.errors).toEqual(["Validation ended early: Couldn't parse stream"])
  })

  test.for([
    '',
    'no report',
    '{}',
    '[]',
    'null',
    '{"report":{"jobs":[{}]}}',
    '{"report":{"jobs":7}}',
  ])('is not %j', (text) =>
    expect(() => readVerapdfReport(text, '2b')).toThrow('its answer is no report'),
  )
})

let folder: string

beforeAll(async () => {
  // Loaded when it is needed, which is no test's time.
  await import('../src/pdfa/validate-pdfa.ts')
  folder = await mkdtemp(path.join(tmpdir(), 'pdfnorm-external-test-'))
  await writeFile(path.join(folder, 'refuted.json'), refuted)
  await writeFile(path.join(folder, 'accepted.json'), accepted)
})

afterAll(() => rm(folder, { recursive: true }))

/** Shell scripts stand in for veraPDF, and say what it said. */
describe.skipIf(process.platform === 'win32')('veraPDF as a program', () => {
  test('gets the file, which only its user can read, and nothing of the environment but what it needs', async () => {
    const executable = await script(
      'recorder',
      `for last; do :; done; echo "$@" > ${folder}/arguments; env > ${folder}/environment`,
      `stat -c %a "$last" "$(dirname "$last")" > ${folder}/modes; cat "$last" > ${folder}/copy`,
      `cat ${folder}/refuted.json; exit 1`,
    )
    const bytes = pdfaDocument('2b')
    const files = await mkdtemp(path.join(folder, 'files-'))
    const choice = program(executable, { SECRETS_KEY: 'secret', TMPDIR: files })
    const answer = await validateByVerapdf(bytes, '2b', choice)

    expect(answer).toMatchObject({ kind: 'verdict', engine: 'veraPDF 1.30.2' })
    expect(await recorded('arguments')).toMatch(
      /^--format json --maxfailuresdisplayed 1 --loglevel 0 --flavour 2b \/.*document\.pdf\n$/,
    )
    expect(await recorded('modes')).toBe('600\n700\n')
    expect(Buffer.compare(await readFile(path.join(folder, 'copy')), bytes)).toBe(0)
    expect(await recorded('environment')).not.toContain('secret')
    expect(await readdir(files)).toEqual([])
  })

  test('is killed with all that it started when it takes too long', async () => {
    const executable = await script('slow', `sleep 60 & echo $! > ${folder}/pid; wait`)
    const answer = await validateByVerapdf(pdfaDocument('2b'), '2b', program(executable, {}, 500))
    expect(answer).toEqual({ kind: 'unavailable', reason: 'it took more than 500 ms' })
    const pid = Number(await recorded('pid'))
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  test('ends with the worker that asked it, and leaves no folder behind', async () => {
    const executable = await script(
      'orphan',
      `sleep 60 & echo $! > ${folder}/orphan-pid.new; mv ${folder}/orphan-pid.new ${folder}/orphan-pid; wait`,
    )
    const files = await mkdtemp(path.join(folder, 'orphan-'))
    const choice = program(executable, { TMPDIR: files })
    const asker = [
      `import { runVerapdf } from ${JSON.stringify(import.meta.resolve('../src/pdfa/external/run-verapdf.ts'))}`,
      `await runVerapdf(new Uint8Array(9), '2b', ${JSON.stringify(choice)})`,
    ]
    const worker = spawn(process.execPath, ['--input-type=module', '--eval', asker.join('\n')], {
      stdio: 'inherit',
    })
    await expect.poll(() => readdir(folder)).toContain('orphan-pid')
    const pid = Number(await recorded('orphan-pid'))
    expect(await isRunning(pid)).toBe(true)
    expect(await readdir(files)).toHaveLength(1)
    worker.kill('SIGKILL')
    await expect.poll(() => isRunning(pid)).toBe(false)
    await expect.poll(() => readdir(files)).toEqual([])
  })

  test.for<[string, string, string]>([
    ['is not there', '', 'the program is not there'],
    ['ends without a word', 'exit 3', 'it ended with exit code 3'],
    ['says something else', 'echo hello', 'its answer is no report'],
    ['does not stop talking', 'exec yes', 'its answer is too long'],
  ])('counts as unavailable when it %s', async ([, body, reason]) => {
    const executable = body === '' ? path.join(folder, 'absent') : await script('odd', body)
    const answer = await validateByVerapdf(pdfaDocument('2b'), '2b', program(executable))
    expect(answer).toEqual({ kind: 'unavailable', reason })
  })

  test('decides what the pipeline says of compliance, and is named', async () => {
    const refuting = await script('refuting', `cat ${folder}/refuted.json`)
    const outcome = await normalized(pdfaDocument('2b'), program(refuting))
    expect(outcome.validation).toMatchObject({
      pdfaCompliant: false,
      pdfaPreserved: true,
      pdfaValidatorValidated: true,
    })
    expect(outcome.validation.pdfaValidatorErrors).toHaveLength(3)
    expect(outcome.pdfaValidatorEngine).toBe('veraPDF 1.30.2')
    expect(codes(outcome)).toEqual(['PDFA_NOT_COMPLIANT'])
  })

  test('is stood in for by the built-in validator, with one warning', async () => {
    const outcome = await normalized(pdfaDocument('2b'), program(path.join(folder, 'absent')))
    expect(outcome.validation).toMatchObject({ pdfaCompliant: true, pdfaPreserved: true })
    expect(outcome.pdfaValidatorEngine).toMatch(/^pdfnorm /)
    expect(codes(outcome)).toEqual(['PDFA_VALIDATOR_UNAVAILABLE'])
  })
})

describe('veraPDF as a service', () => {
  test('gets the file as a field of a form', async () => {
    const requests: string[] = []
    const bytes = pdfaDocument('3a')
    await using service = await serve(async (request, response) => {
      const body = await buffer(request)
      const isWhole = body.includes(Buffer.from(bytes))
      const { accept } = request.headers
      requests.push(`${request.method} ${request.url} ${accept} ${isWhole}`)
      expect(body.toString('latin1')).toContain('name="file"; filename="document.pdf"')
      response.end(accepted)
    })
    const answer = await validateByVerapdf(bytes, '3a', service.choice)
    expect(answer).toMatchObject({ kind: 'verdict', verdict: { compliant: true, flavour: '3a' } })
    expect(requests).toEqual(['POST /base/api/validate/3a application/json true'])
  })

  test.for<[string, RequestListener, string]>([
    ['refuses', (_, response) => response.writeHead(400).end('no'), 'the service answered 400'],
    [
      'sends elsewhere',
      (_, response) => response.writeHead(307, { location: '/' }).end(),
      'the service cannot be reached',
    ],
    ['hangs up', (_, response) => response.destroy(), 'the service cannot be reached'],
    ['says nothing', () => {}, 'the service took more than 300 ms'],
    ['says something else', (_, response) => response.end('<html>'), 'its answer is no report'],
    [
      'does not stop',
      (_, response) => response.end('x'.repeat(5_000_000)),
      'its answer is too long',
    ],
  ])('counts as unavailable when it %s', async ([, listener, reason]) => {
    await using service = await serve(listener, reason.includes(' 300 ms') ? 300 : 20_000)
    const answer = await validateByVerapdf(pdfaDocument('2b'), '2b', service.choice)
    expect(answer).toEqual({ kind: 'unavailable', reason })
  })
})

test('a service without an address is no setting', () => {
  const given = { validator: 'verapdf-rest', executable: 'verapdf', url: undefined } as const
  const rest = { ...given, timeoutMs: 1_000, keepAssociatedFiles: false }
  expect(() => readPdfaSettings(rest, {})).toThrow('the address of the service is not given')
})

/** `VERAPDF` names the program of a real one; else the answers above are what there is. */
const real = process.env['VERAPDF']

test.skipIf(real === undefined)(
  'a real veraPDF agrees with the built-in validator',
  { timeout: 60_000 },
  async () => {
    const environment = Object.fromEntries(
      Object.entries(process.env).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    )
    const choice = program(real ?? '', environment, 60_000)
    const sound = await validateByVerapdf(pdfaDocument('2b'), '2b', choice)
    expect(sound).toMatchObject({ kind: 'verdict', verdict: { compliant: true, errors: [] } })

    const annotated = pdfaDocument('2b', {
      page: { Annots: '[<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] >>]' },
    })
    const theirs = await validateByVerapdf(annotated, '2b', choice)
    const ours = await normalized(annotated, { kind: 'internal' })
    const rules = (errors: readonly string[]): string[] =>
      errors.map((line) => line.split(':', 2).join(':'))
    expect(theirs.kind === 'verdict' && rules(theirs.verdict.errors)).toEqual(
      rules(ours.validation.pdfaValidatorErrors),
    )
  },
)

function report(validationResult: object): string {
  return JSON.stringify({
    report: {
      buildInformation: {
        releaseDetails: [
          { id: 'core', version: '1.30.2', buildDate: 1_780_483_380_000 },
          { id: 'apps', version: '1.30.2', buildDate: 1_780_483_980_000 },
        ],
      },
      jobs: [
        {
          itemDetails: { name: 'document.pdf', size: 3613 },
          validationResult: [validationResult],
        },
      ],
    },
  })
}

function summary(
  clause: string,
  testNumber: number,
  description: string,
  context: string,
  failedChecks = 1,
): object {
  return {
    ruleStatus: 'FAILED',
    specification: 'ISO 19005-2:2011',
    clause,
    testNumber,
    status: 'failed',
    failedChecks,
    description,
    object: 'PDObject',
    test: 'isSound == true',
    checks: [{ status: 'failed', context, errorMessage: 'It is not', errorArguments: [] }],
  }
}

function program(
  executable: string,
  environment: Record<string, string> = {},
  timeoutMs = 20_000,
): Extract<PdfaValidatorChoice, { kind: 'verapdf-cli' }> {
  const own = { PATH: process.env['PATH'], ...environment }
  const settings = readPdfaSettings(
    { validator: 'verapdf-cli', executable, url: undefined, timeoutMs, keepAssociatedFiles: false },
    own,
  )
  if (settings.validator.kind !== 'verapdf-cli') throw new Error('another validator was chosen')
  return settings.validator
}

async function script(name: string, ...lines: readonly string[]): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, ['#!/bin/sh', ...lines, ''].join('\n'))
  await chmod(file, 0o700)
  return file
}

function recorded(name: string): Promise<string> {
  return readFile(path.join(folder, name), 'utf8')
}

/** Whether it still does something: what was killed may stay listed until its parent looks. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', `${pid}`])
    return !stdout.trim().startsWith('Z')
  } catch {
    return false
  }
}

interface Service extends AsyncDisposable {
  readonly choice: Extract<PdfaValidatorChoice, { kind: 'verapdf-rest' }>
}

async function serve(listener: RequestListener, timeoutMs = 20_000): Promise<Service> {
  const server: Server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    choice: { kind: 'verapdf-rest', url: `http://127.0.0.1:${address.port}/base/`, timeoutMs },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function normalized(
  bytes: Uint8Array,
  validator: PdfaValidatorChoice,
): Promise<NormalizedOutcome> {
  const pdfaSettings = { validator, keepAssociatedFiles: false }
  const outcome = await normalize(bytes, defaultOptions, { pdfaSettings })
  if (outcome.kind !== 'normalized') throw new Error(`${outcome.kind}: ${outcome.failure.message}`)
  return outcome
}

function codes({ warnings }: NormalizedOutcome): string[] {
  return warnings.map(({ code }) => code).filter((code) => code.startsWith('PDFA_'))
}
