import { Box, Code, Tabs } from '@mantine/core'
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

/** A call in each language. */
// oxlint-disable-next-line import/no-default-export -- React loads lazily what is exported by default
export default function Snippets({ call, label }: { call: Call; label: string }) {
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
