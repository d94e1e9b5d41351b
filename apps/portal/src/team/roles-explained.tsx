import { Anchor, Group, Stack, Text } from '@mantine/core'
import { memberRoles } from '@pdfnorm/contracts/schema/member'
import { Section } from '../page/section.tsx'
import { roleWords } from './role-words.ts'

export function RolesExplained() {
  return (
    <Section title="Roles">
      <Stack component="dl" gap="xs" m={0}>
        {memberRoles.map((role) => (
          <Group key={role} gap="xs" align="baseline">
            <Text component="dt" size="sm" fw={600} w={80}>
              {role}
            </Text>
            <Text component="dd" size="sm" m={0} style={{ flex: '1 1 220px' }}>
              {roleWords[role]}
            </Text>
          </Group>
        ))}
      </Stack>
      <Text size="sm">
        <Anchor href="/docs/guides/accounts" target="_blank" inherit>
          What each role may do, in full
        </Anchor>
      </Text>
    </Section>
  )
}
