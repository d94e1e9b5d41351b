import { refreshCookie } from '@pdfnorm/contracts/schema/session'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'

/** HttpOnly, Secure, SameSite=Lax, Path=/api/auth (interface, section 5; decision 3.6). */
const attributes = {
  path: refreshCookie.path,
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
} as const

/** @param lifetimeMs of the token; the cookie lives as long */
export function setRefreshCookie(res: Response, token: string, lifetimeMs: number): void {
  const maxAge = Math.floor(lifetimeMs / 1000)
  res.append(
    'Set-Cookie',
    stringifySetCookie({ ...attributes, name: refreshCookie.name, value: token, maxAge }),
  )
}

export function clearRefreshCookie(res: Response): void {
  res.append(
    'Set-Cookie',
    stringifySetCookie({ ...attributes, name: refreshCookie.name, value: '', maxAge: 0 }),
  )
}

export function refreshTokenOf(req: Pick<Request, 'headers'>): string | null {
  return parseCookie(req.headers.cookie ?? '')[refreshCookie.name] ?? null
}
