import { Box, Code, Tabs } from '@mantine/core'
import { callInCurl } from '@pdfnorm/contracts/call/call-in-curl'
import { callInPython } from '@pdfnorm/contracts/call/call-in-python'
import { callInTypescript } from '@pdfnorm/contracts/call/call-in-typescript'
import { endpointCall } from '@pdfnorm/contracts/call/endpoint-call'
import { CopyButton } from '../page/copy-button.tsx'
import type { PageCall } from './page-call.ts'

const languages = [
  { value: 'curl', label: 'curl', write: callInCurl },
  { value: 'typescript', label: 'TypeScript', write: callInTypescript },
  { value: 'python', label: 'Python', write: callInPython },
] as const

/** A call in each language. */
// oxlint-disable-next-line import/no-default-export -- React loads lazily what is exported by default
export default function Snippets({ call, label }: { call: PageCall; label: string }) {
  const written = endpointCall(call.endpoint, call, location.origin)
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
        const text = write(written)
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
