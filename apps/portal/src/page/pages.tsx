import { Pagination } from '@mantine/core'
import { useFocusKept } from './use-focus-kept.ts'

/** Leads to the other pages of a list, where there are any. @param total of its entries */
export function Pages({
  total,
  perPage,
  page,
  onChange,
}: {
  total: number
  perPage: number
  page: number
  onChange: (page: number) => void
}) {
  // At an end of the list, the button that led there can lead no further and loses the focus.
  useFocusKept(page, '[aria-current="page"][data-active]')
  const pages = Math.ceil(total / perPage)
  if (pages <= 1 && page === 1) return null
  return (
    <Pagination
      total={pages}
      value={page}
      // In one line on a telephone, also in the middle of hundreds.
      siblings={0}
      onChange={onChange}
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      getItemProps={(to) => ({ 'aria-label': `Page ${to}` })}
    />
  )
}
