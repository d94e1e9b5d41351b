import { memberDocuments } from '@pdfnorm/contracts/endpoint/member-documents'
import { uploadField } from '@pdfnorm/contracts/schema/normalize-request'
import { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import { ProblemError, unreachable } from '../problem/problem-error.ts'
import { problemOfAnswer } from '../session/call-api.ts'
import { openSession, renewSession, type Session } from '../session/session.ts'

/**
 * Uploads a document and waits as long as the service does.
 *
 * @param onProgress told how much of the upload has been sent, from 0 to 1
 * @throws ProblemError when it is refused, or the service does not answer
 */
export async function submitDocument(
  file: File,
  fields: Readonly<Record<string, string>>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (sent: number) => void },
): Promise<NormalizeResponse> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set(uploadField, file, file.name)

  const session = await openSession()
  const first = await send(form, session, { signal, onProgress })
  const response =
    first.status === 401
      ? await send(form, await renewSession(session), { signal, onProgress })
      : first
  if (!response.ok) throw await problemOfAnswer(response)
  return NormalizeResponse.parse(await response.json())
}

/** By XMLHttpRequest: fetch does not tell how far an upload has come. */
function send(
  form: FormData,
  session: Session | null,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (sent: number) => void },
): Promise<Response> {
  const { method, path } = memberDocuments.normalizeAsMember
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    if (session !== null) request.setRequestHeader('Authorization', `Bearer ${session.accessToken}`)
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onProgress(total === 0 ? 0 : loaded / total)
    })
    request.addEventListener('load', () => {
      const headers = new Headers()
      for (const name of ['X-Request-Id', 'Retry-After']) {
        const value = request.getResponseHeader(name)
        if (value !== null) headers.set(name, value)
      }
      resolve(new Response(request.responseText, { status: request.status, headers }))
    })
    request.addEventListener('error', () => reject(new ProblemError(unreachable)))
    request.addEventListener('abort', () => reject(new ProblemError('The upload was stopped.')))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    if (signal.aborted) request.abort()
    else request.send(form)
  })
}
