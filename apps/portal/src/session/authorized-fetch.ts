import { ProblemError, unreachable } from '../problem/problem-error.ts'
import { openSession, renewSession, type Session } from './session.ts'

/** A request of the signed-in member; one whose token is refused is sent again with a renewed one. */
export async function authorizedFetch(
  address: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const session = await openSession()
  if (session === null) throw signedOutProblem()
  const response = await send(address, init, session)
  if (response.status !== 401) return response

  const renewed = await renewSession(session)
  if (renewed === null) throw signedOutProblem()
  return send(address, init, renewed)
}

async function send(
  address: RequestInfo | URL,
  init: RequestInit,
  session: Session,
): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('Authorization', `Bearer ${session.accessToken}`)
  try {
    return await fetch(address, { ...init, headers })
  } catch (cause) {
    // Whoever took the request back knows why.
    if (init.signal?.aborted) throw cause
    throw new ProblemError(unreachable, { cause })
  }
}

function signedOutProblem(): ProblemError {
  return new ProblemError('The session has ended. Sign in again.', { code: 'INVALID_ACCESS_TOKEN' })
}
