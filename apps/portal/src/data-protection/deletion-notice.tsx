import { Alert, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { PageLink } from '../page/page-link.tsx'
import { When } from '../page/when.tsx'
import { useMay } from '../session/use-session.ts'
import { dataRequestsQuery } from './queries.ts'

const here = '/data-protection'

/** That the organization will be deleted, on every page but that which shows it in full, to whoever can cancel it. */
export function DeletionNotice() {
  const isOwner = useMay()('deleteAccount')
  const isHere = useRouterState({ select: ({ location }) => location.pathname === here })
  const { data } = useQuery({ ...dataRequestsQuery, enabled: isOwner })
  const deletion = data?.deletion
  if (isHere || deletion?.status !== 'pending') return null
  return (
    <Alert
      color="red"
      icon={<IconTrash aria-hidden />}
      title="The organization will be deleted"
      mb="lg"
    >
      <Text size="sm">
        With all that it has, after <When at={deletion.cancellableUntil} />.{' '}
        <PageLink to={here} inherit>
          Keep the organization
        </PageLink>
      </Text>
    </Alert>
  )
}
