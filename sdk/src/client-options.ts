import type { BatchStatus, NormalizeRequest, NormalizeResponse } from './generated/types.ts'
import type { SendHooks, SendOptions } from './request/send.ts'
import type { PdfSource } from './transfer/pdf-source.ts'

export interface PdfnormOptions extends SendHooks {
  /** The service's address, as `https://pdfnorm.example`. Default: PDFNORM_BASE_URL of the environment. */
  readonly baseUrl?: string | undefined
  /**
   * `pdfnorm_…`; only the published keys can be read without one. Default: PDFNORM_API_KEY of the environment; null:
   * none.
   */
  readonly apiKey?: string | null | undefined
  /** Milliseconds that one attempt may take. Default: two minutes, ten for uploads and downloads. */
  readonly timeoutMs?: number | undefined
  /** How often a failed attempt is repeated. Default: 2. */
  readonly maxRetries?: number | undefined
  /** Milliseconds before the first repetition, doubled for each further one. Default: 500. */
  readonly retryDelayMs?: number | undefined
  /** Another fetch than the runtime's own. */
  readonly fetch?: typeof fetch | undefined
}

/** The form of an upload without its file, as the interface spells it. */
export interface NormalizeOptions extends Omit<NormalizeRequest, 'file'>, SendOptions {
  /** Has the service answer at once, and the submission go on in the background. */
  readonly respondAsync?: boolean | undefined
}

/** With which idempotency key an upload was sent: with it a lost answer can be asked for again. */
export interface SentWith {
  readonly idempotencyKey: string
  /** The service had got this file with this key before: it is the same submission. */
  readonly replayed: boolean
}

export type NormalizeResult = NormalizeResponse & SentWith

export interface CheckOptions {
  /** The normalized file: its own SHA-256 then has to be the one of the document. */
  readonly pdf?: PdfSource | undefined
  readonly signal?: AbortSignal | undefined
}

/** Which page of a list: counted from 1, and with how many entries. */
export interface PageQuery {
  page?: number
  page_size?: number
}

export interface BatchQuery extends PageQuery {
  status?: BatchStatus
}

export interface EventQuery extends PageQuery {
  /** The moment from which on. */
  after: Date | string
}
