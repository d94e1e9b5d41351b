import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import './wide-table.css'

/** A table that scrolls sideways where there is no room for it, also by keyboard. @param minWidth in pixels */
export function WideTable({
  label,
  minWidth,
  children,
}: {
  label: string
  minWidth: number
  children: ReactNode
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to take the focus (WCAG 2.2, 2.1.1)
    <div role="region" aria-label={label} tabIndex={0} className="wide-table">
      <Table verticalSpacing="xs" highlightOnHover miw={minWidth}>
        {children}
      </Table>
    </div>
  )
}
