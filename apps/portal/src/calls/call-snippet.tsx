import { Box, Code, Collapse, Group, Tabs, UnstyledButton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronRight, IconCode } from '@tabler/icons-react'
import { useId } from 'react'
import { CopyButton } from '../page/copy-button.tsx'
import type { Call } from './call.ts'
import { curlCall } from './curl-call.ts'
import { pythonCall } from './python-call.ts'
import { typescriptCall } from './typescript-call.ts'

const languages = [
  { value: 'curl', label: 'curl', write: curlCall },
  { value: 'typescript', label: 'TypeScript', write: typescriptCall },
  { value: 'python', label: 'Python', write: pythonCall },
] as const

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
  call: Call
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
        {isOpen && <Snippets call={call} label={label} />}
      </Collapse>
    </Box>
  )
}

function Snippets({ call, label }: { call: Call; label: string }) {
  const origin = location.origin
  return (
    <Tabs defaultValue="curl" mt="xs" keepMounted={false}>
      <Tabs.List aria-label={`${label} in`}>
        {languages.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map(({ value, label, write }) => {
        const text = write(call, origin)
        return (
          <Tabs.Panel key={value} value={value} pt="xs" pos="relative">
            <Code
              block
              tabIndex={0}
              role="region"
              aria-label={`${label} code`}
              pe={44}
              style={{ overflowX: 'auto' }}
            >
              {text}
            </Code>
            <Box pos="absolute" top={18} right={8}>
              <CopyButton text={text} what={`the ${label} code`} />
            </Box>
          </Tabs.Panel>
        )
      })}
    </Tabs>
  )
}
