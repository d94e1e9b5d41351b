import { refreshCookie } from '@pdfnorm/contracts/schema/session'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'
import type { IssuedRefreshToken } from '../session/refresh-token.ts'

/** HttpOnly, Secure, SameSite=Lax, Path=/api/auth (interface, section 5; decision 3.6). */
const attributes = {
  path: refreshCookie.path,
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
} as const

export function setRefreshCookie(res: Response, token: IssuedRefreshToken, now: Date): void {
  const maxAge = Math.floor((token.expiresAt.getTime() - now.getTime()) / 1000)
  res.append(
    'Set-Cookie',
    stringifySetCookie({ ...attributes, name: refreshCookie.name, value: token.token, maxAge }),
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
