import { Pagination } from '@mantine/core'

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
  const pages = Math.ceil(total / perPage)
  if (pages <= 1 && page === 1) return null
  return (
    <Pagination
      total={pages}
      value={page}
      siblings={1}
      onChange={onChange}
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      getItemProps={(to) => ({ 'aria-label': `Page ${to}` })}
    />
  )
}
