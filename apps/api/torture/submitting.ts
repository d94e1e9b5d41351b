import { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import type { Customer } from './customer.ts'
import type { TortureDocument } from './documents.ts'

/** One document that a customer wants normalized once, under a key of its own. */
export interface Errand {
  customer: Customer
  key: string
  document: Omit<TortureDocument, 'bytes'>
  webhookUrl: string | null
  batchId: string | null
  respondAsync: boolean
  /** Known as soon as one request was answered. */
  submissionId: string | null
  /** How its first answer came. */
  accepted: 200 | 202 | null
  /** Refused for good: the quota was used up. */
  refused: boolean
}

/** What one request came to. */
export type Reply =
  | { kind: 'accepted'; replayed: boolean }
  | { kind: 'refused' }
  /** No answer, or one that asks for patience: to be sent again. */
  | { kind: 'failed'; how: string }
  /** An answer that must not be. */
  | { kind: 'wrong'; complaint: string }

/** How long a client waits for an answer before it asks another process. */
const patienceMs = 20_000

/**
 * Sends the document once.
 *
 * @param cutAfterMs the client goes away then, whether it was answered or not
 */
export async function submit(
  errand: Errand,
  bytes: Uint8Array<ArrayBuffer>,
  url: string,
  cutAfterMs: number | null,
): Promise<Reply> {
  const form = new FormData()
  form.append('file', new Blob([bytes], { type: 'application/pdf' }), 'in.pdf')
  form.append('idempotency_key', errand.key)
  if (errand.webhookUrl !== null) form.append('webhook_url', errand.webhookUrl)
  if (errand.batchId !== null) form.append('batch_id', errand.batchId)

  try {
    const response = await fetch(`${url}/api/normalize`, {
      method: 'POST',
      headers: {
        'X-Api-Key': errand.customer.apiKey,
        ...(errand.respondAsync && { Prefer: 'respond-async' }),
      },
      body: form,
      signal: AbortSignal.timeout(cutAfterMs ?? patienceMs),
    })
    return take(errand, response, await response.json())
  } catch (error) {
    return { kind: 'failed', how: error instanceof Error ? causeOf(error) : String(error) }
  }
}

function take(errand: Errand, { status, headers }: Response, body: unknown): Reply {
  if (status === 200 || status === 202) {
    const { submissionId, original } = NormalizeResponse.parse(body)
    if (original.sha256 !== errand.document.sha256) {
      return wrong(errand, `was answered with another document, ${submissionId}`)
    }
    if (errand.submissionId !== null && errand.submissionId !== submissionId) {
      return wrong(errand, `stands for ${errand.submissionId} and for ${submissionId}`)
    }
    errand.submissionId = submissionId
    errand.accepted ??= status
    return { kind: 'accepted', replayed: headers.get('idempotent-replayed') === 'true' }
  }

  const { code } = Problem.parse(body)
  if (status === 402 && errand.submissionId === null) {
    errand.refused = true
    return { kind: 'refused' }
  }
  if (status >= 500) return { kind: 'failed', how: `${status} ${code}` }
  return wrong(errand, `was answered ${status} ${code}`)
}

function wrong(errand: Errand, what: string): Reply {
  return { kind: 'wrong', complaint: `the key ${errand.key} of ${errand.customer.name} ${what}` }
}

function causeOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'no answer in time'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
}
