import { Group } from '@mantine/core'
import { ButtonLink } from './button-link.tsx'
import { Page } from './page.tsx'

/** What an address shows that leads nowhere. */
export function MissingPage() {
  return (
    <Page
      title="Nothing is here"
      lead="The address leads to no page. It may be mistyped, or what it led to is gone."
    >
      <Group>
        <ButtonLink to="/">To the overview</ButtonLink>
      </Group>
    </Page>
  )
}
