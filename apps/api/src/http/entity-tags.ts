import type { Request } from 'express'

/**
 * Whether a request wants another file than this one: If-Match (RFC 9110, 13.1.1), which comes before If-None-Match and
 * Range (13.2.2). Tags are compared strongly.
 *
 * @param etag strong, with its quotation marks
 */
export function wantsOther(req: Request, etag: string): boolean {
  const wanted = tagsIn(req.get('if-match'))
  return wanted !== null && !wanted.includes('*') && !wanted.includes(etag)
}

/**
 * Whether the client has the file: If-None-Match (RFC 9110, 13.1.2). Tags are compared weakly. Express's `req.fresh`
 * denies it to a request with `Cache-Control: no-cache`, which fetch() adds to each If-None-Match; but that tells caches
 * to ask here (RFC 9111, 5.2.1.4), and not what is answered here.
 *
 * @param etag strong, with its quotation marks
 */
export function hasAlready(req: Request, etag: string): boolean {
  const had = tagsIn(req.get('if-none-match'))
  return had !== null && (had.includes('*') || had.some((tag) => tag.replace(/^W\//, '') === etag))
}

/** null: the field is not there. */
function tagsIn(field: string | undefined): string[] | null {
  return field?.split(',').map((tag) => tag.trim()) ?? null
}
