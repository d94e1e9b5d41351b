/**
 * One call of an operation with values, before it is written in a language: in the reference with the examples of the
 * document, in the portal with what a page has at hand.
 */
export interface Call {
  readonly operationId: string
  readonly method: string
  /** Where the service is; null: what `PDFNORM_BASE_URL` names. */
  readonly baseUrl: string | null
  /** Path and query with their values, percent-encoded. */
  readonly target: string
  /** The value of each path parameter, in the order of the path. */
  readonly pathValues: readonly string[]
  readonly query: readonly (readonly [name: string, value: unknown])[]
  readonly credentials: Credentials | null
  readonly body: { kind: 'json'; value: unknown } | { kind: 'form'; fields: FormFields } | null
  readonly answer: Answer
}

/** What the caller shows: a key, the token of a session, or the cookie that renews it. */
type Credentials = 'api-key' | 'access-token' | 'refresh-cookie'

/** The text fields of a form; beside them stands the file. */
type FormFields = readonly (readonly [name: string, value: string])[]

export type Answer = 'json' | 'text' | { readonly fileName: string }

/** What the answer of an operation is, by the type of its good answer. */
export function answerOfType(contentType: string): Answer {
  if (contentType === 'application/json' || contentType === 'application/ld+json') return 'json'
  if (contentType === 'application/pdf') return { fileName: 'out.pdf' }
  return contentType === 'application/zip' ? { fileName: 'export.zip' } : 'text'
}

/** A value of a path or of a query, so that neither a URL nor a shell sees anything else in it. */
export function encoded(value: unknown): string {
  return encodeURIComponent(String(value)).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** `?page=1&page_size=20`, or nothing. */
export function queryText(query: Call['query']): string {
  const pairs = query.map(([name, value]) => `${name}=${encoded(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
