import { Alert, Group, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMatch } from '@tanstack/react-router'
import { ButtonLink } from '../page/button-link.tsx'
import { When } from '../page/when.tsx'
import { useMay } from '../session/use-session.ts'
import { dataRequestsQuery } from './queries.ts'

/** That the organization will be deleted, on every page but that which shows it in full, to whoever can cancel it. */
export function DeletionNotice() {
  const isOwner = useMay()('deleteAccount')
  const isHere = useMatch({ from: '/member/data-protection', shouldThrow: false }) !== undefined
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
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          With all that it has, after <When at={deletion.cancellableUntil} />.
        </Text>
        <ButtonLink to="/data-protection" size="xs" variant="default">
          Keep the organization
        </ButtonLink>
      </Group>
    </Alert>
  )
}
