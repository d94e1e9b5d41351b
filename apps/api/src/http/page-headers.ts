import type { PageQuery } from '@pdfnorm/contracts/schema/page'
import type { Request, Response } from 'express'
import type { Config } from '../config.ts'

/**
 * Tells how many entries there are on all pages, and where the pages beside this one are (decision 1.8; RFC 8288).
 *
 * @param page as the request asked for it
 */
export function setPageHeaders(
  { baseUrl }: Pick<Config, 'baseUrl'>,
  { req, res }: { req: Pick<Request, 'path' | 'originalUrl'>; res: Response },
  { page, page_size: pageSize }: PageQuery,
  total: number,
): void {
  res.setHeader('X-Total-Count', String(total))

  const lastPage = Math.ceil(total / pageSize)
  const links: string[] = []
  const link = (target: number, relation: string) => {
    const url = new URL(baseUrl + req.path)
    url.search = new URL(req.originalUrl, baseUrl).search
    url.searchParams.set('page', String(target))
    links.push(`<${url.href}>; rel="${relation}"`)
  }
  if (page < lastPage) link(page + 1, 'next')
  // From behind the end it leads back to the last page.
  if (page > 1 && lastPage > 0) link(Math.min(page - 1, lastPage), 'prev')
  if (links.length > 0) res.setHeader('Link', links.join(', '))
}
