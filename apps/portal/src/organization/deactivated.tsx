import { Group, Paper, Text, Title } from '@mantine/core'
import { ButtonLink } from '../page/button-link.tsx'
import { DeactivationEffects } from './deactivation-effects.tsx'

/** What it means that an organization is deactivated, and what is left to do. */
export function Deactivated() {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
      <Title order={2} size="h4">
        What deactivated means
      </Title>
      <DeactivationEffects />
      <Text size="sm" mt="md">
        It cannot be undone. To work on, register another organization.
      </Text>
      <Group mt="md">
        <ButtonLink to="/data-protection" variant="default">
          Export or delete the data
        </ButtonLink>
      </Group>
    </Paper>
  )
}
