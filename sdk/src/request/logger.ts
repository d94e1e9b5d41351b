/** Where to tell what is sent; `console` is one. Secrets are never told. */
export interface Logger {
  debug(message: string, details?: unknown): void
  warn(message: string, details?: unknown): void
}

const secretHeaders = new Set(['x-api-key', 'authorization', 'cookie'])
/** Prefix, underscore and eight characters: as much of a key as the portal shows. */
const shownOfKey = 16

/** Headers as they may stand in a log. */
export function redacted(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => {
      if (!secretHeaders.has(name)) return [name, value]
      const shown = value.startsWith('pdfnorm_') ? value.slice(0, shownOfKey) : ''
      return [name, `${shown}…`]
    }),
  )
}
