import { Box, Collapse, Group, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronRight, IconCode } from '@tabler/icons-react'
import { lazy, Suspense, useId } from 'react'
import type { PageCall } from './page-call.ts'

const Snippets = lazy(() => import('./snippets.tsx'))

/**
 * How a program does what this page does.
 *
 * @param call endpoint of the contracts with the values that the page has for it
 * @param label what it does, as “Create a key”; the endpoint's summary otherwise
 */
export function CallSnippet({
  call,
  label = call.endpoint.summary ?? call.endpoint.path,
  initiallyOpen = false,
}: {
  call: PageCall
  label?: string
  initiallyOpen?: boolean
}) {
  const [isOpen, { toggle }] = useDisclosure(initiallyOpen)
  const id = useId()
  return (
    <Box>
      <UnstyledButton onClick={toggle} aria-expanded={isOpen} aria-controls={id} py={4}>
        <Group gap={6} wrap="nowrap">
          <IconChevronRight
            size={16}
            aria-hidden
            style={{ transform: isOpen ? 'rotate(90deg)' : undefined }}
          />
          <IconCode size={16} aria-hidden />
          <Text size="sm">{label} from a program</Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && (
          <Suspense fallback={<Skeleton height={140} mt="xs" />}>
            <Snippets call={call} label={label} />
          </Suspense>
        )}
      </Collapse>
    </Box>
  )
}
