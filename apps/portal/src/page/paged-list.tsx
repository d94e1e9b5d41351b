import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Pages } from './pages.tsx'

/**
 * One page of a list, with the way to the others.
 *
 * @param none said of a list that is empty
 */
export function PagedList({
  shown,
  none = 'There are none of this kind.',
  children,
  ...pages
}: Parameters<typeof Pages>[0] & {
  shown: readonly unknown[]
  none?: string
  children: ReactNode
}) {
  return (
    <>
      {shown.length > 0 ? (
        children
      ) : (
        <Text c="dimmed">{pages.total === 0 ? none : 'The list has not so many pages.'}</Text>
      )}
      <Pages {...pages} />
    </>
  )
}
