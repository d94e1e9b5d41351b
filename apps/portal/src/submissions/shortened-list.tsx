import { Button, List } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'

/** A list of which the first entries are shown, and the others to whom asks for them. */
export function ShortenedList({
  entries,
  most = 8,
}: {
  entries: readonly ReactNode[]
  most?: number
}) {
  const [isWhole, { toggle }] = useDisclosure(false)
  // A button for one entry takes as much room as the entry.
  const isLong = entries.length > most + 1
  const shown = isLong && !isWhole ? entries.slice(0, most) : entries
  return (
    <>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {shown.map((entry, index) => (
          <List.Item key={index}>{entry}</List.Item>
        ))}
      </List>
      {isLong && (
        <Button
          variant="default"
          size="compact-sm"
          mt="xs"
          onClick={toggle}
          aria-expanded={isWhole}
        >
          {isWhole ? 'Show fewer' : `Show all ${entries.length.toLocaleString('en')}`}
        </Button>
      )}
    </>
  )
}
