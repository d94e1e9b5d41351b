import { Group, Text } from '@mantine/core'
import { ButtonLink } from '../page/button-link.tsx'
import { Section } from '../page/section.tsx'
import { DeactivationEffects } from './deactivation-effects.tsx'

/** What it means that an organization is deactivated, and what is left to do. */
export function Deactivated() {
  return (
    <Section title="What deactivated means">
      <DeactivationEffects />
      <Text size="sm">It cannot be undone. To work on, register another organization.</Text>
      <Group>
        <ButtonLink to="/data-protection" variant="default">
          Export or delete the data
        </ButtonLink>
      </Group>
    </Section>
  )
}
