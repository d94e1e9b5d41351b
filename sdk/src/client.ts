import { type Operations, routes } from './generated/routes.ts'
import type {
  Attestation,
  Batch,
  BatchPage,
  BatchSubmissionPage,
  CertificateClaims,
  CreateBatchRequest,
  KeySet,
  NormalizeRequest,
  NormalizeResponse,
  Report,
  Submission,
  VerificationResult,
} from './generated/types.ts'
import { PdfnormError, retryAfterSeconds } from './problem-error.ts'
import { type Attempt, send, type SendOptions, type SendSettings } from './send.ts'
import { sha256Hex } from './sha256.ts'
import { isRepeatable, type PdfSource, uploadBody } from './upload.ts'
import { keyIdOf, verifyCertificate } from './verify-certificate.ts'
import { type WaitOptions, waitForSubmission } from './wait-for-submission.ts'

export interface PdfnormOptions {
  /** The service's address, as `https://pdfnorm.example`. */
  readonly baseUrl: string
  /** `pdfnorm_…`; only the published keys can be read without one. */
  readonly apiKey?: string | undefined
  /** Milliseconds that one attempt may take. Default: two minutes. */
  readonly timeoutMs?: number
  /** How often a failed attempt is repeated. Default: 2. */
  readonly maxRetries?: number
  /** Milliseconds before the first repetition, doubled for each further one. Default: 500. */
  readonly retryDelayMs?: number
  /** Another fetch than the runtime's own. */
  readonly fetch?: typeof fetch
}

/** The form of an upload without its file, as the interface spells it. */
export type NormalizeOptions = Omit<NormalizeRequest, 'file'> & SendOptions

/** A submission and the idempotency key with which it was sent: with it a lost answer can be asked for again. */
export type NormalizeResult = NormalizeResponse & { readonly idempotencyKey: string }

type OperationId = keyof typeof routes

interface Call<Id extends OperationId> {
  readonly path?: Operations[Id]['path']
  readonly query?: Operations[Id]['query']
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Attempt['body']
  readonly repeat?: Attempt['repeat']
}

/**
 * A client of the service: everything that an API key can do. A hash may be given as 64 hexadecimal digits or, as
 * records write it, with `sha256:` before them.
 */
export class Pdfnorm {
  readonly #baseUrl: string
  readonly #apiKey: string | undefined
  readonly #settings: SendSettings
  #keys: Promise<KeySet> | null = null

  constructor(options: PdfnormOptions) {
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '')
    this.#apiKey = options.apiKey
    this.#settings = {
      // Browsers refuse a fetch that is called as a method of something else.
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      timeoutMs: options.timeoutMs ?? 120_000,
      maxRetries: options.maxRetries ?? 2,
      retryDelayMs: options.retryDelayMs ?? 500,
    }
  }

  /**
   * Submits a PDF. A small one is normalized at once; of another one the status is PENDING or IN_PROGRESS. What
   * policy refuses or cannot be normalized is no error: its status says it, and `failure` why.
   */
  async normalize(pdf: PdfSource, options: NormalizeOptions = {}): Promise<NormalizeResult> {
    return (await this.#submit(pdf, options)).result
  }

  /** Submits a PDF and waits until it has ended: SUCCESS, FAILED or REJECTED. */
  async normalizeAndWait(
    pdf: PdfSource,
    options: NormalizeOptions & WaitOptions = {},
  ): Promise<Submission> {
    const { result, retryAfter } = await this.#submit(pdf, options)
    return this.#wait(result.submissionId, options, (retryAfter ?? 0) * 1000)
  }

  async getSubmission(submissionId: string, options?: SendOptions): Promise<Submission> {
    return this.#json('getSubmission', { path: { submissionId } }, options)
  }

  /** Waits until a submission has ended: SUCCESS, FAILED or REJECTED. */
  async waitForSubmission(submissionId: string, options: WaitOptions = {}): Promise<Submission> {
    return this.#wait(submissionId, options, 0)
  }

  /** What the pipeline did to get the file with this SHA-256. */
  async getReport(hash: string, options?: SendOptions): Promise<Report> {
    return this.#json('getReport', { path: { hash: hexOf(hash) } }, options)
  }

  /**
   * The bytes of a normalized file, checked against the hash under which they were asked for.
   *
   * @throws {PdfnormError} HASH_MISMATCH when they are not what the hash names
   */
  async downloadArtifact(hash: string, options?: SendOptions): Promise<Uint8Array<ArrayBuffer>> {
    const expected = hexOf(hash)
    const response = await this.#call('downloadArtifact', { path: { hash: expected } }, options)
    const bytes = new Uint8Array(await bodyOf(response, (answer) => answer.arrayBuffer()))
    const actual = await sha256Hex(bytes)
    if (actual === expected) return bytes
    throw new PdfnormError('HASH_MISMATCH', `Asked for ${expected}, got ${actual}`, {
      status: response.status,
      requestId: response.headers.get('x-request-id'),
    })
  }

  async createBatch(batch: CreateBatchRequest = {}, options?: SendOptions): Promise<Batch> {
    const content = { body: JSON.stringify(batch), headers: { 'Content-Type': 'application/json' } }
    // A repetition would make a second batch.
    return this.#json('createBatch', { body: async () => content, repeat: 'unprocessed' }, options)
  }

  async listBatches(
    query: Operations['listBatches']['query'] = {},
    options?: SendOptions,
  ): Promise<BatchPage> {
    return this.#json('listBatches', { query }, options)
  }

  async getBatch(batchId: string, options?: SendOptions): Promise<Batch> {
    return this.#json('getBatch', { path: { batchId } }, options)
  }

  async listBatchSubmissions(
    batchId: string,
    query: Operations['listBatchSubmissions']['query'] = {},
    options?: SendOptions,
  ): Promise<BatchSubmissionPage> {
    return this.#json('listBatchSubmissions', { path: { batchId }, query }, options)
  }

  async getAttestation(normalizedSha256: string, options?: SendOptions): Promise<Attestation> {
    return this.#json(
      'getAttestation',
      { path: { normalizedSha256: hexOf(normalizedSha256) } },
      options,
    )
  }

  /** Asks the service whether its attestation holds. {@link verifyCertificate} asks nobody. */
  async verifyAttestation(
    normalizedSha256: string,
    options?: SendOptions,
  ): Promise<VerificationResult> {
    return this.#json(
      'verifyAttestation',
      { path: { normalizedSha256: hexOf(normalizedSha256) } },
      options,
    )
  }

  /** The certificate of a normalized file, a JWS in compact serialization. */
  async getCertificate(normalizedSha256: string, options?: SendOptions): Promise<string> {
    return this.#text(
      'getCertificate',
      { path: { normalizedSha256: hexOf(normalizedSha256) } },
      options,
    )
  }

  async getKeySet(options?: SendOptions): Promise<KeySet> {
    return this.#json('getKeySet', {}, options)
  }

  async getSigningKeyPem(options?: SendOptions): Promise<string> {
    return this.#text('getSigningKeyPem', {}, options)
  }

  /**
   * Verifies a certificate with the published keys, which are fetched once and again when a certificate names a
   * key that is not among them. With a PDF it also verifies that the certificate is about this very file.
   *
   * @throws {PdfnormError} CERTIFICATE_INVALID or HASH_MISMATCH
   */
  async verifyCertificate(
    certificate: string,
    { pdf, ...options }: SendOptions & { pdf?: Uint8Array<ArrayBuffer> } = {},
  ): Promise<CertificateClaims> {
    const keys = await this.#keysWith(keyIdOf(certificate), options)
    return verifyCertificate(certificate, { keys, ...(pdf === undefined ? {} : { pdf }) })
  }

  #wait(submissionId: string, options: WaitOptions, firstLookMs: number): Promise<Submission> {
    const read = () => this.getSubmission(submissionId, options)
    return waitForSubmission(read, options, firstLookMs)
  }

  async #submit(
    pdf: PdfSource,
    { signal, timeoutMs, maxRetries, ...options }: NormalizeOptions & WaitOptions,
  ): Promise<{ result: NormalizeResult; retryAfter: number | null }> {
    const { deadlineMs: _, pollMs: __, ...form } = options
    const idempotencyKey = form.idempotency_key ?? crypto.randomUUID()
    const fields = textFields({ ...form, idempotency_key: idempotencyKey })
    const response = await this.#call(
      'normalizePdf',
      {
        body: () => uploadBody(pdf, fields),
        repeat: isRepeatable(pdf) ? 'always' : 'never',
      },
      sendOptions(signal, timeoutMs, maxRetries),
    )
    const answer = await bodyOf<NormalizeResponse>(response, (body) => body.json())
    return {
      result: { ...answer, idempotencyKey },
      retryAfter: retryAfterSeconds(response.headers),
    }
  }

  async #keysWith(keyId: string | null, options: SendOptions): Promise<KeySet> {
    const known = await this.#keys?.catch(() => null)
    if (known?.keys.some((key) => key.kid === keyId) === true) return known
    this.#keys = this.getKeySet(options)
    return this.#keys
  }

  async #json<Id extends OperationId>(
    id: Id,
    call: Call<Id>,
    options?: SendOptions,
  ): Promise<Operations[Id]['answer']> {
    const response = await this.#call(id, call, options)
    return bodyOf<Operations[Id]['answer']>(response, (answer) => answer.json())
  }

  async #text<Id extends OperationId>(
    id: Id,
    call: Call<Id>,
    options?: SendOptions,
  ): Promise<string> {
    return bodyOf(await this.#call(id, call, options), (answer) => answer.text())
  }

  async #call<Id extends OperationId>(
    id: Id,
    { path = {}, query = {}, headers = {}, body, repeat = 'always' }: Call<Id>,
    options?: SendOptions,
  ): Promise<Response> {
    const route = routes[id]
    const attempt: Attempt = {
      url: this.#baseUrl + fillPath(route.path, path) + queryString(query),
      method: route.method,
      headers: {
        ...(this.#apiKey === undefined ? {} : { 'X-Api-Key': this.#apiKey }),
        Accept: `${route.accept}, application/problem+json`,
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      repeat,
    }
    return send(attempt, this.#settings, options)
  }
}

/** Records and reports write a hash as `sha256:<hex>`, paths take the digits alone. */
function hexOf(hash: string): string {
  return hash.replace(/^sha256:/, '').toLowerCase()
}

/** `/api/batches/{batchId}` with the values in place of their names. */
function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

function queryString(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

/** What is not given is left to the service's default. */
function textFields(form: Omit<NormalizeRequest, 'file'>): Record<string, string> {
  const given = Object.entries(form).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

function sendOptions(
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
  maxRetries: number | undefined,
): SendOptions {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
  }
}

/** The body of an answer; a connection that breaks while it is read is an error of this client too. */
async function bodyOf<Body>(
  response: Response,
  read: (response: Response) => Promise<Body>,
): Promise<Body> {
  try {
    return await read(response)
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError'
    const message = 'The answer could not be read to its end'
    throw new PdfnormError(timedOut ? 'TIMED_OUT' : 'UNEXPECTED_ANSWER', message, {
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      cause,
    })
  }
}
