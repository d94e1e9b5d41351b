import type { Heading } from './markdown.ts'

/** A page of the site, before the layout is put around it. */
export interface Page {
  /** Its address, `/docs/guides/webhooks`. */
  readonly path: string
  readonly title: string
  /** One sentence for search engines and lists. */
  readonly description: string
  readonly html: string
  readonly headings: readonly Heading[]
}
