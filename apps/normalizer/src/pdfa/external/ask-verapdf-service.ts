import type { Flavour } from '../flavour.ts'
import type { VerapdfChoice } from '../pdfa-settings.ts'
import { maxReportBytes, VerapdfUnavailable } from './verapdf-unavailable.ts'

/**
 * The report of a veraPDF service (github.com/veraPDF/veraPDF-rest): `POST /api/validate/<flavour>` with the file as the field `file`.
 *
 * @throws {VerapdfUnavailable}
 */
export async function askVerapdfService(
  bytes: Uint8Array,
  flavour: Flavour,
  { url, timeoutMs }: Extract<VerapdfChoice, { kind: 'verapdf-rest' }>,
): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), 'document.pdf')
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/api/validate/${flavour}`, {
      method: 'POST',
      body: form,
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new VerapdfUnavailable(`the service answered ${response.status}`)
    }
    return await cappedText(response)
  } catch (error) {
    if (error instanceof VerapdfUnavailable) throw error
    throw new VerapdfUnavailable(
      error instanceof DOMException && error.name === 'TimeoutError'
        ? `the service took more than ${timeoutMs} ms`
        : 'the service cannot be reached',
    )
  }
}

async function cappedText({ body }: Response): Promise<string> {
  if (!body) return ''
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > maxReportBytes) throw new VerapdfUnavailable('its answer is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
