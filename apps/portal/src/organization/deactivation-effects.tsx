import { List } from '@mantine/core'

/** What a deactivation does (interface, section 3.5). */
export function DeactivationEffects() {
  return (
    <List size="sm" spacing={4} mt="xs">
      <List.Item>Every API key is revoked at once.</List.Item>
      <List.Item>
        No document is normalized any more; those that were accepted are still finished.
      </List.Item>
      <List.Item>Nothing can be changed: no team, no settings, no keys, no webhooks.</List.Item>
      <List.Item>A paid plan is cancelled.</List.Item>
      <List.Item>
        Members sign in and read as before; the data can still be exported and deleted.
      </List.Item>
    </List>
  )
}
