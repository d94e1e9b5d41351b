import {
  AuthenticationError,
  BadRequestError,
  type CompletedSubmission,
  ConnectionError,
  IdempotencyError,
  NotFoundError,
  Pdfnorm,
  type PdfnormError,
  type PdfSource,
  type SucceededSubmission,
  VerificationError,
  webhooks,
} from '@pdfnorm/sdk'
import { publishedKeys, verifyCertificate } from '@pdfnorm/sdk/verify'

/** What a runtime is told; plain JSON. */
export interface Scenario {
  /** A live service. */
  readonly baseUrl: string
  readonly apiKey: string
  /** The same service behind a gate that breaks the first request and the first download of each address. */
  readonly brokenUrl: string
  /** A PDF that can be normalized. */
  readonly pdfBase64: string
  /** A folder to write to, where there are files. */
  readonly folder: string | null
}

export interface Outcome {
  readonly name: string
  /** Why it did not behave; null when it did. */
  readonly fault: string | null
}

type Behaviour = (world: World) => Promise<void>

interface World extends Scenario {
  readonly pdfnorm: Pdfnorm
  readonly pdf: Uint8Array<ArrayBuffer>
}

/** Runs all of it, one after the other, in whatever runtime this is. */
export async function behave(scenario: Scenario): Promise<Outcome[]> {
  const { baseUrl, apiKey, pdfBase64 } = scenario
  const pdf = Uint8Array.from(atob(pdfBase64), (character) => character.charCodeAt(0))
  const world = { ...scenario, pdf, pdfnorm: new Pdfnorm({ baseUrl, apiKey, retryDelayMs: 20 }) }
  const outcomes: Outcome[] = []
  for (const [name, behaviour] of Object.entries(behaviours)) {
    const fault = await behaviour(world).then(
      () => null,
      (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
    )
    outcomes.push({ name, fault })
  }
  return outcomes
}

const behaviours: Readonly<Record<string, Behaviour>> = {
  async 'a PDF is normalized, and downloaded as bytes, Blob and stream'({ pdfnorm, pdf }) {
    const { outputHash, outputSizeBytes } = await succeeded(pdfnorm.normalizeAndWait(pdf))
    const download = pdfnorm.downloadArtifact(outputHash)
    const bytes = await download.bytes()
    same(bytes.length, outputSizeBytes)
    same(new TextDecoder('latin1').decode(bytes.subarray(0, 5)), '%PDF-')
    same((await download.blob()).size, outputSizeBytes)
    same((await new Response(download.stream()).arrayBuffer()).byteLength, outputSizeBytes)
  },

  async 'every kind of source is uploaded'({ pdfnorm, pdf }) {
    const sources: Record<string, PdfSource> = {
      bytes: pdf,
      buffer: pdf.slice().buffer,
      blob: new Blob([pdf]),
      stream: new Blob([pdf]).stream(),
      response: new Response(pdf.slice()),
      factory: () => new Blob([pdf]).stream(),
      iterable: pieces(pdf),
    }
    const hashes = new Set<string | undefined>()
    for (const source of Object.values(sources)) {
      const { original } = await pdfnorm.normalize(source, { respondAsync: true })
      hashes.add(original.sha256)
    }
    same(hashes.size, 1)
  },

  async 'a file is read from a path and written to one'({ pdfnorm, pdf, folder }) {
    if (folder === null) return
    // Not an import: a bundler for browsers would look for it.
    const { writeFile, readFile, readdir } = process.getBuiltinModule('node:fs/promises')
    const here = `${folder}/${crypto.randomUUID()}`
    await writeFile(`${here}-in.pdf`, pdf)
    const submission = await pdfnorm.normalizeAndWait(`${here}-in.pdf`)
    if (submission.status !== 'SUCCESS') fail(submission.failure.message)
    else {
      await pdfnorm.downloadArtifact(submission.outputHash).toFile(`${here}-out.pdf`)
      same((await readFile(`${here}-out.pdf`)).length, submission.outputSizeBytes)
      const missing = await caught(pdfnorm.downloadArtifact('0'.repeat(64)).toFile(`${here}-x.pdf`))
      same(missing instanceof NotFoundError, true)
    }
    same(
      (await readdir(folder)).some((name) => /part$|-x\.pdf$/.test(name)),
      false,
    )
  },

  async 'a submission is waited for, and taken up again by its key'({ pdfnorm, pdf }) {
    const looks: string[] = []
    const submission = await pdfnorm.normalizeAndWait(new Blob([pdf]), {
      respondAsync: true,
      onLook: ({ status }) => looks.push(status),
    })
    same(submission.status, 'SUCCESS')
    same(looks.at(-1), 'SUCCESS')
    const again = await pdfnorm.normalizeAndWait(pdf, {
      idempotency_key: submission.idempotencyKey,
    })
    same([again.submissionId, again.replayed], [submission.submissionId, true])
    same((await pdfnorm.waitForCompletion(again)).completedAt, submission.completedAt)
    const other = pdf.slice()
    other[other.length - 1] = 0x20
    const error = await caught(
      pdfnorm.normalize(other, { idempotency_key: submission.idempotencyKey }),
    )
    same([error instanceof IdempotencyError, error.code], [true, 'IDEMPOTENCY_KEY_REUSED'])
  },

  async 'certificate and attestation are verified here, and forgeries are seen'(world) {
    const { pdfnorm, pdf, baseUrl } = world
    const { outputHash } = await succeeded(pdfnorm.normalizeAndWait(pdf))
    const file = await pdfnorm.downloadArtifact(outputHash).bytes()
    const certificate = await pdfnorm.getCertificate(outputHash)
    const claims = await pdfnorm.verifyCertificate(certificate, { pdf: file })
    same([claims.originalSizeBytes, claims.sub], [pdf.length, outputHash])
    const keys = publishedKeys(baseUrl)
    same((await verifyCertificate(certificate, { keys, pdf: new Blob([file]) })).jti, claims.jti)

    const attestation = await pdfnorm.getAttestation(outputHash)
    same((await pdfnorm.verifyAttestation(attestation, { pdf: file })).attestationId, claims.jti)
    const { findings } = attestation
    const forged = {
      ...attestation,
      findings: { ...findings, healthScore: findings.healthScore + 1 },
    }
    const refused = [
      await caught(pdfnorm.verifyCertificate(certificate, { pdf })),
      await caught(pdfnorm.verifyAttestation(attestation, { pdf })),
      await caught(pdfnorm.verifyAttestation(forged)),
      await caught(pdfnorm.verifyCertificate(certificate.replace(/\.(.)/, '.A$1'))),
    ]
    same(
      refused.map((error) => error instanceof VerificationError),
      [true, true, true, true],
    )
    same((await pdfnorm.checkAttestation(outputHash)).valid, true)
    same((await pdfnorm.getReport(outputHash)).stages.length, 10)
    same((await pdfnorm.getSigningKeyPem()).startsWith('-----BEGIN PUBLIC KEY-----'), true)
  },

  async 'refusals are classes of their own with code, problem and request id'(world) {
    const { pdfnorm, baseUrl, pdf } = world
    const wrongKey = new Pdfnorm({ baseUrl, apiKey: 'pdfnorm_wrong', maxRetries: 0 })
    const unauthenticated = await caught(wrongKey.normalize(pdf))
    same(
      [unauthenticated instanceof AuthenticationError, unauthenticated.code],
      [true, 'INVALID_API_KEY'],
    )
    same(unauthenticated.requestId, unauthenticated.problem?.requestId)
    const unknown = await caught(pdfnorm.getSubmission(crypto.randomUUID()))
    same([unknown instanceof NotFoundError, unknown.status], [true, 404])
    const noPdf = await caught(pdfnorm.normalize(new TextEncoder().encode('Dear Sir or Madam')))
    same([noPdf instanceof BadRequestError, noPdf.code], [true, 'INVALID_FILE'])
  },

  async 'batches are created, listed and iterated'({ pdfnorm, pdf }) {
    const batch = await pdfnorm.createBatch({ name: 'behaviour' })
    const sent = []
    for (let count = 0; count < 3; count++) {
      sent.push((await pdfnorm.normalize(pdf, { batch_id: batch.batchId })).submissionId)
    }
    const listed: string[] = []
    for await (const { submissionId } of pdfnorm.listBatchSubmissions(batch.batchId, {
      page_size: 2,
    })) {
      listed.push(submissionId)
    }
    same(listed.sort(), sent.sort())
    const [newest] = await pdfnorm.listBatches().toArray({ limit: 1 })
    same(newest?.batchId, batch.batchId)
    same((await pdfnorm.getBatch(batch.batchId)).total, 3)
    same((await pdfnorm.listBatches({ page: 1, page_size: 1 })).items.length, 1)
  },

  async 'the answer itself can be had'({ pdfnorm }) {
    const { data, response } = await pdfnorm.getKeySet().withResponse()
    same(data.keys.length > 0, true)
    same((response.headers.get('x-request-id') ?? '').length > 0, true)
  },

  async 'what breaks on the way is sent again, and taken up where it broke'(world) {
    const { brokenUrl, apiKey, pdf } = world
    const pdfnorm = new Pdfnorm({ baseUrl: brokenUrl, apiKey, retryDelayMs: 20 })
    const { outputHash, outputSizeBytes } = await succeeded(pdfnorm.normalizeAndWait(pdf))
    same((await pdfnorm.downloadArtifact(outputHash).bytes()).length, outputSizeBytes)
  },

  async 'no network and an aborted call are told apart'({ pdfnorm, pdf }) {
    const nowhere = new Pdfnorm({ baseUrl: 'http://127.0.0.1:1', apiKey: null, maxRetries: 0 })
    const error = await caught(nowhere.getKeySet())
    same([error instanceof ConnectionError, error.code], [true, 'CONNECTION_FAILED'])
    const reason = new Error('no longer wanted')
    same(await caught(pdfnorm.normalize(pdf, { signal: AbortSignal.abort(reason) })), reason)
  },

  async 'events are unwrapped, and forgeries are seen'() {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const { body, headers } = await webhooks.sign('{"event":"webhook.test","data":{}}', secret)
    same((await webhooks.unwrap(body, headers, secret)).event, 'webhook.test')
    const route = webhooks.fetchHandler(secret, () => {})
    const send = (text: string) =>
      new Request('https://receiver.example', { method: 'POST', body: text, headers })
    same((await route(send(body))).status, 204)
    same((await route(send(`${body} `))).status, 400)
  },
}

async function succeeded(work: Promise<CompletedSubmission>): Promise<SucceededSubmission> {
  const submission = await work
  return submission.status === 'SUCCESS' ? submission : fail(submission.failure.message)
}

async function* pieces(pdf: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < pdf.length; at += 100) yield pdf.subarray(at, at + 100)
}

async function caught(work: Promise<unknown>): Promise<PdfnormError> {
  return work.then(
    () => fail('it was not refused'),
    (error: PdfnormError) => error,
  )
}

function same(actual: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== other) fail(`expected ${other}, got ${one}`)
}

function fail(why: string): never {
  throw new Error(why)
}
