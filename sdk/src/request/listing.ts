import { type ApiPromise, apiPromise } from './api-promise.ts'
import type { Answered } from './send.ts'

/** One page of a list as the service answers it. */
export interface Page<Item> {
  items: Item[]
  page: number
  page_size: number
}

/** Awaited it is one page; iterated it is every entry from there on, page after page. */
export interface Listing<Item, ItemPage extends Page<Item> = Page<Item>>
  extends ApiPromise<ItemPage>, AsyncIterable<Item> {
  /** The first entries, at most `limit`. */
  toArray(options: { limit: number }): Promise<Item[]>
}

/**
 * @param readPage asks for a page by its number; none: for the one that the caller named
 * @param idOf what makes an entry the same entry on another page
 */
export function listing<Item, ItemPage extends Page<Item>>(
  readPage: (page?: number) => Promise<Answered<ItemPage>>,
  idOf: (item: Item) => string,
): Listing<Item, ItemPage> {
  const first = apiPromise(readPage())
  const each = () => entries(first, async (page) => (await readPage(page)).data, idOf)
  return Object.assign(first, {
    [Symbol.asyncIterator]: each,
    async toArray({ limit }: { limit: number }): Promise<Item[]> {
      const items: Item[] = []
      if (limit <= 0) return items
      for await (const item of each()) {
        items.push(item)
        if (items.length >= limit) break
      }
      return items
    },
  })
}

/** New entries push older ones onto the next page, where they come a second time: they are left out. */
async function* entries<Item, ItemPage extends Page<Item>>(
  first: Promise<ItemPage>,
  readPage: (page: number) => Promise<ItemPage>,
  idOf: (item: Item) => string,
): AsyncGenerator<Item> {
  let seen = new Set<string>()
  for (let page = await first; ; page = await readPage(page.page + 1)) {
    yield* page.items.filter((item) => !seen.has(idOf(item)))
    if (page.items.length === 0 || page.items.length < page.page_size) return
    seen = new Set(page.items.map(idOf))
  }
}
