import { z } from 'zod'
import { limits } from './limit.ts'

/** The greatest 32-bit integer: what every client's language has a type for. */
const pageMax = 2_147_483_647

/** Query of every list that comes in pages. Out of range is refused, a page past the end is empty. */
export const PageQuery = z.object({
  page: z.coerce
    .number()
    .int()
    .min(1)
    .max(pageMax)
    .default(1)
    .meta({ description: 'The page, counted from 1.' }),
  page_size: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.pageSizeMax)
    .default(limits.pageSizeDefault)
    .meta({ description: 'Entries on a page.' }),
})
export type PageQuery = z.infer<typeof PageQuery>

/** The envelope of a page (decision 1.8); the number of all entries is in `X-Total-Count`. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    page: z.int().min(1),
    page_size: z.int().min(1),
  })
}
