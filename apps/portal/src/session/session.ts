import { auth } from '@pdfnorm/contracts/endpoint/auth'
import { MemberRole } from '@pdfnorm/contracts/schema/member'
import { type LoginRequest, SessionTokens } from '@pdfnorm/contracts/schema/session'
import { z } from 'zod'
import { ProblemError } from '../problem/problem-error.ts'
import { callApi } from './call-api.ts'

/** Who is signed in, for a few minutes; then it is renewed. It lives in this tab's memory alone. */
export interface Session {
  readonly accessToken: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly memberId: string
  readonly role: MemberRole
}

let current: Session | null = null
let renewing: Promise<Session | null> | null = null
const listeners = new Set<() => void>()

/** Renewed before it expires on the way to the server. */
const marginMs = 30_000

export function currentSession(): Session | null {
  return current
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @throws ProblemError when the service refuses */
export async function signIn(credentials: LoginRequest): Promise<void> {
  keep(sessionOf(await callApi(auth.login, credentials)))
}

/** The session of this browser: the one in memory, or one that the refresh cookie gives; null: nobody is signed in. */
export async function openSession(): Promise<Session | null> {
  if (current !== null && current.expiresAt - Date.now() > marginMs) return current
  if (current === null && !mayBeSignedIn()) return null
  return renewSession(current)
}

/**
 * A session after `stale`. Whoever asks meanwhile gets the same one; several tabs take turns, because each refresh
 * replaces the cookie that they share.
 */
export async function renewSession(stale: Session | null): Promise<Session | null> {
  if (current !== stale) return current
  renewing ??= inTurn(refresh).finally(() => {
    renewing = null
  })
  return renewing
}

/**
 * Signs out everywhere in this browser.
 *
 * @throws ProblemError when the service does not hear of it: its cookie would still sign in whoever comes next
 */
export async function signOut(): Promise<void> {
  const session = await openSession()
  if (session !== null) {
    const headers = { Authorization: `Bearer ${session.accessToken}` }
    await callApi(auth.logout, undefined, headers).catch((error: unknown) => {
      const hasEnded = error instanceof ProblemError && error.code === 'INVALID_ACCESS_TOKEN'
      if (!hasEnded) throw error
    })
  }
  keep(null)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  otherTabs?.postMessage(signedOut)
}

async function refresh(): Promise<Session | null> {
  try {
    keep(sessionOf(await callApi(auth.refreshSession)))
  } catch (error) {
    // Without an answer nobody knows: the cookie may be good.
    if (!(error instanceof ProblemError) || error.code !== 'INVALID_REFRESH_TOKEN') throw error
    keep(null)
  }
  return current
}

/** Browsers have locks in secure contexts only; elsewhere the cookie, which is Secure, is not kept either. */
function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? navigator.locks.request('pdfnorm-session', run) : run()
}

function keep(session: Session | null): void {
  current = session
  remember(session !== null)
  for (const listener of listeners) listener()
}

const AccessTokenClaims = z.object({ sub: z.string(), role: MemberRole })

function sessionOf(answer: unknown): Session {
  const { access_token: accessToken, expires_in: seconds } = SessionTokens.parse(answer)
  const [, payload = ''] = accessToken.split('.')
  const { sub, role } = AccessTokenClaims.parse(JSON.parse(textOfBase64Url(payload)))
  return { accessToken, expiresAt: Date.now() + seconds * 1000, memberId: sub, role }
}

function textOfBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
}

/** That somebody signed in here, no secret: it spares everybody else a question to the service. */
const traceKey = 'pdfnorm.signed-in'

export function mayBeSignedIn(): boolean {
  return localStorage.getItem(traceKey) !== null
}

function remember(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(traceKey, 'yes')
  else localStorage.removeItem(traceKey)
}

const signedOut = 'signed-out'
const otherTabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('pdfnorm-session') : null
otherTabs?.addEventListener('message', ({ data }) => {
  if (data === signedOut) keep(null)
})
