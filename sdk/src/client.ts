import type {
  BatchQuery,
  CheckOptions,
  EventQuery,
  NormalizeOptions,
  NormalizeResult,
  PageQuery,
  PdfnormOptions,
  SentWith,
} from './client-options.ts'
import { PdfnormError } from './error/pdfnorm-error.ts'
import { retryAfterSeconds } from './error/refusal-errors.ts'
import { apiVersion, type Operations, routes } from './generated/routes.ts'
import type {
  Attestation,
  Batch,
  BatchPage,
  BatchSubmissionPage,
  CertificateClaims,
  CreateBatchRequest,
  KeySet,
  NormalizeResponse,
  Report,
  Submission,
  SubmissionEvent,
  SubmissionEventPage,
  VerificationResult,
} from './generated/types.ts'
import { type ApiPromise, apiPromise } from './request/api-promise.ts'
import { fillPath, queryString, serviceAddress } from './request/address.ts'
import { type Listing, listing } from './request/listing.ts'
import {
  type Answered,
  type Attempt,
  send,
  type SendOptions,
  type SendSettings,
} from './request/send.ts'
import type { Repeat } from './request/retry.ts'
import { untilAborted } from './request/wait-for.ts'
import { environmentVariable } from './runtime.ts'
import { type ArtifactDownload, artifactDownload } from './transfer/artifact-download.ts'
import { isRepeatable, type PdfSource } from './transfer/pdf-source.ts'
import { formFields } from './transfer/form-fields.ts'
import { uploadBody } from './transfer/upload-body.ts'
import { keyCache } from './trust/key-source.ts'
import { verifyAttestation } from './trust/verify-attestation.ts'
import { verifyCertificate } from './trust/verify-certificate.ts'
import {
  type CompletedSubmission,
  waitForCompletion,
  type WaitOptions,
} from './wait-for-completion.ts'

type OperationId = keyof typeof routes

interface Call<Id extends OperationId> {
  readonly path?: Operations[Id]['path']
  readonly query?: Operations[Id]['query']
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Attempt<unknown>['body']
  readonly repeat?: Repeat
  readonly timeoutMs?: number
}

const callTimeoutMs = 120_000
const transferTimeoutMs = 600_000

/**
 * A client of the service: everything that an API key can do. A hash may be given as 64 hexadecimal digits or, as
 * records write it, with `sha256:` before them.
 */
export class Pdfnorm {
  readonly #baseUrl: string
  readonly #apiKey: string | null
  readonly #settings: SendSettings
  readonly #keys = keyCache(() => this.getKeySet())

  /** @throws {TypeError} when there is no address, or it is none */
  constructor(options: PdfnormOptions = {}) {
    const { apiKey = environmentVariable('PDFNORM_API_KEY') ?? null } = options
    this.#baseUrl = serviceAddress(options.baseUrl ?? environmentVariable('PDFNORM_BASE_URL'))
    this.#apiKey = apiKey
    this.#settings = {
      onRequest: options.onRequest,
      onResponse: options.onResponse,
      logger: options.logger,
      // Browsers refuse a fetch that is called as a method of something else.
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      timeoutMs: options.timeoutMs,
      maxRetries: options.maxRetries ?? 2,
      retryDelayMs: options.retryDelayMs ?? 500,
    }
  }

  /**
   * Submits a PDF. A small one is normalized at once; of another one the status is PENDING or IN_PROGRESS. What
   * policy refuses or cannot be normalized is no error: its status says it, and `failure` why.
   */
  normalize(pdf: PdfSource, options: NormalizeOptions = {}): ApiPromise<NormalizeResult> {
    return apiPromise(this.#submit(pdf, options))
  }

  /**
   * Submits a PDF and waits until it has ended: SUCCESS, FAILED or REJECTED. Called again with the same file and
   * `idempotency_key`, also by another process, it goes on waiting for the same submission; an error says which key
   * that is.
   */
  async normalizeAndWait(
    pdf: PdfSource,
    options: NormalizeOptions & WaitOptions = {},
  ): Promise<CompletedSubmission & SentWith> {
    const { data, response } = await this.#submit(pdf, options)
    const { submissionId, idempotencyKey, replayed } = data
    const firstLookMs = (retryAfterSeconds(response.headers) ?? 0) * 1000
    const submission = await this.#wait(submissionId, options, firstLookMs).catch(
      withFacts({ idempotencyKey }),
    )
    return { ...submission, idempotencyKey, replayed }
  }

  getSubmission(submissionId: string, options?: SendOptions): ApiPromise<Submission> {
    return this.#json('getSubmission', { path: { submissionId } }, options)
  }

  /**
   * Waits until a submission has ended: SUCCESS, FAILED or REJECTED.
   *
   * @param submission its id, or what {@link normalize} gave
   */
  async waitForCompletion(
    submission: string | { readonly submissionId: string },
    options: WaitOptions = {},
  ): Promise<CompletedSubmission> {
    const id = typeof submission === 'string' ? submission : submission.submissionId
    return this.#wait(id, options, 0)
  }

  /** What the pipeline did to get the file with this SHA-256. */
  getReport(hash: string, options?: SendOptions): ApiPromise<Report> {
    return this.#json('getReport', { path: { hash: hexOf(hash) } }, options)
  }

  /** The normalized file with this SHA-256; the request is sent when it is read. */
  downloadArtifact(hash: string, options: SendOptions = {}): ArtifactDownload {
    const path = { hash: hexOf(hash) }
    const request = async (fromByte: number) => {
      const headers = { Range: `bytes=${fromByte}-`, 'If-Range': `"${path.hash}"` }
      const call = {
        path,
        timeoutMs: transferTimeoutMs,
        ...(fromByte > 0 ? { headers } : {}),
      }
      return (await this.#call('downloadArtifact', call, async (answer) => answer, options)).data
    }
    const maxRetries = options.maxRetries ?? this.#settings.maxRetries
    return artifactDownload(path.hash, request, { maxRetries, signal: options.signal })
  }

  createBatch(batch: CreateBatchRequest = {}, options?: SendOptions): ApiPromise<Batch> {
    const content = { body: JSON.stringify(batch), headers: { 'Content-Type': 'application/json' } }
    // A repetition would make a second batch.
    return this.#json('createBatch', { body: async () => content, repeat: 'unprocessed' }, options)
  }

  /** Awaited: one page. Iterated: every batch, newest first. */
  listBatches(query: BatchQuery = {}, options?: SendOptions): Listing<Batch, BatchPage> {
    return listing(
      (page) =>
        this.#answer('listBatches', { query: { ...query, ...(page && { page }) } }, options),
      ({ batchId }) => batchId,
    )
  }

  getBatch(batchId: string, options?: SendOptions): ApiPromise<Batch> {
    return this.#json('getBatch', { path: { batchId } }, options)
  }

  /** Awaited: one page. Iterated: every submission of the batch, newest first. */
  listBatchSubmissions(
    batchId: string,
    query: PageQuery = {},
    options?: SendOptions,
  ): Listing<NormalizeResponse, BatchSubmissionPage> {
    return listing(
      (page) => {
        const call = { path: { batchId }, query: { ...query, ...(page && { page }) } }
        return this.#answer('listBatchSubmissions', call, options)
      },
      ({ submissionId }) => submissionId,
    )
  }

  /**
   * The submissions of the organization that ended since a moment, oldest first, each as the event that a webhook
   * gets. For trying out a receiver where no webhook can reach it; awaited: one page, iterated: all.
   */
  listEvents(
    query: EventQuery,
    options?: SendOptions,
  ): Listing<SubmissionEvent, SubmissionEventPage> {
    const { after, ...rest } = query
    const since = { ...rest, after: typeof after === 'string' ? after : after.toISOString() }
    return listing(
      (page) => this.#answer('listEvents', { query: { ...since, ...(page && { page }) } }, options),
      ({ data }) => data.submissionId,
    )
  }

  getAttestation(normalizedSha256: string, options?: SendOptions): ApiPromise<Attestation> {
    const path = { normalizedSha256: hexOf(normalizedSha256) }
    return this.#json('getAttestation', { path }, options)
  }

  /**
   * Has the service itself check its attestation and the stored file. {@link verifyAttestation} and
   * {@link verifyCertificate} believe nobody.
   */
  checkAttestation(
    normalizedSha256: string,
    options?: SendOptions,
  ): ApiPromise<VerificationResult> {
    const path = { normalizedSha256: hexOf(normalizedSha256) }
    return this.#json('verifyAttestation', { path }, options)
  }

  /** The certificate of a normalized file, a JWS in compact serialization. */
  getCertificate(normalizedSha256: string, options?: SendOptions): ApiPromise<string> {
    const path = { normalizedSha256: hexOf(normalizedSha256) }
    return this.#text('getCertificate', { path }, options)
  }

  getKeySet(options?: SendOptions): ApiPromise<KeySet> {
    return this.#json('getKeySet', {}, options)
  }

  getSigningKeyPem(options?: SendOptions): ApiPromise<string> {
    return this.#text('getSigningKeyPem', {}, options)
  }

  /**
   * Verifies a certificate with the published keys, which are fetched once and again when a certificate names a
   * key that is not among them. With a PDF it also verifies that the certificate is about this very file.
   *
   * @throws {VerificationError} CERTIFICATE_INVALID or HASH_MISMATCH
   */
  async verifyCertificate(
    certificate: string,
    { pdf, signal }: CheckOptions = {},
  ): Promise<CertificateClaims> {
    return untilAborted(verifyCertificate(certificate, { keys: this.#keys, pdf }), signal)
  }

  /**
   * Verifies an attestation with the published keys, as {@link verifyCertificate} does.
   *
   * @throws {VerificationError} ATTESTATION_INVALID or HASH_MISMATCH
   */
  async verifyAttestation(
    attestation: Attestation | string,
    { pdf, signal }: CheckOptions = {},
  ): Promise<Attestation> {
    return untilAborted(verifyAttestation(attestation, { keys: this.#keys, pdf }), signal)
  }

  async #submit(
    pdf: PdfSource,
    options: NormalizeOptions & WaitOptions,
  ): Promise<Answered<NormalizeResult>> {
    const { signal, timeoutMs, maxRetries, respondAsync } = options
    const idempotencyKey = options.idempotency_key ?? crypto.randomUUID()
    const fields = formFields({ ...options, idempotency_key: idempotencyKey })
    const call: Call<'normalizePdf'> = {
      body: () => uploadBody(pdf, fields),
      repeat: isRepeatable(pdf) ? 'always' : 'never',
      timeoutMs: transferTimeoutMs,
      ...(respondAsync === true ? { headers: { Prefer: 'respond-async' } } : {}),
    }
    const { data, response } = await this.#answer('normalizePdf', call, {
      signal,
      timeoutMs,
      maxRetries,
    }).catch(withFacts({ idempotencyKey }))
    const replayed = response.headers.get('idempotent-replayed') === 'true'
    return { data: { ...data, idempotencyKey, replayed }, response }
  }

  async #wait(
    submissionId: string,
    options: WaitOptions,
    firstLookMs: number,
  ): Promise<CompletedSubmission> {
    const look = async () => {
      const call = { path: { submissionId } }
      const { data, response } = await this.#answer('getSubmission', call, options)
      return { submission: data, retryAfter: retryAfterSeconds(response.headers) }
    }
    return waitForCompletion(look, options, firstLookMs).catch(withFacts({ submissionId }))
  }

  #json<Id extends OperationId>(
    id: Id,
    call: Call<Id>,
    options?: SendOptions,
  ): ApiPromise<Operations[Id]['answer']> {
    return apiPromise(this.#answer(id, call, options))
  }

  #text<Id extends OperationId>(id: Id, call: Call<Id>, options?: SendOptions): ApiPromise<string> {
    return apiPromise(this.#call(id, call, (answer) => answer.text(), options))
  }

  async #answer<Id extends OperationId>(
    id: Id,
    call: Call<Id>,
    options?: SendOptions,
  ): Promise<Answered<Operations[Id]['answer']>> {
    return this.#call<Id, Operations[Id]['answer']>(id, call, (answer) => answer.json(), options)
  }

  async #call<Id extends OperationId, Data>(
    id: Id,
    { path = {}, query = {}, headers = {}, body, repeat = 'always', timeoutMs }: Call<Id>,
    read: (response: Response) => Promise<Data>,
    options?: SendOptions,
  ): Promise<Answered<Data>> {
    const route = routes[id]
    const attempt: Attempt<Data> = {
      url: this.#baseUrl + fillPath(route.path, path) + queryString(query),
      method: route.method,
      headers: {
        ...(this.#apiKey === null ? {} : { 'X-Api-Key': this.#apiKey }),
        Accept: `${route.accept}, application/problem+json`,
        'Api-Version': apiVersion,
        ...headers,
      },
      body,
      read,
      repeat,
      timeoutMs: timeoutMs ?? callTimeoutMs,
    }
    return send(attempt, this.#settings, options)
  }
}

/** Records and reports write a hash as `sha256:<hex>`, paths take the digits alone. */
function hexOf(hash: string): string {
  return hash.replace(/^sha256:/, '').toLowerCase()
}

/** Lets an error say with what the call can be taken up again. */
function withFacts(
  facts: Partial<Pick<PdfnormError, 'idempotencyKey' | 'submissionId'>>,
): (error: unknown) => never {
  return (error) => {
    throw error instanceof PdfnormError ? Object.assign(error, facts) : error
  }
}
