import { Code, Group, Tabs } from '@mantine/core'
import { callInCurl } from '@pdfnorm/contracts/call/call-in-curl'
import { callInPython } from '@pdfnorm/contracts/call/call-in-python'
import { callInTypescript } from '@pdfnorm/contracts/call/call-in-typescript'
import { endpointCall } from '@pdfnorm/contracts/call/endpoint-call'
import { CopyButton } from '../page/copy-button.tsx'
import type { PageCall } from './page-call.ts'

const languages = [
  { value: 'curl', language: 'curl', write: callInCurl },
  { value: 'typescript', language: 'TypeScript', write: callInTypescript },
  { value: 'python', language: 'Python', write: callInPython },
] as const

/** A call in each language. */
// oxlint-disable-next-line import/no-default-export -- React loads lazily what is exported by default
export default function Snippets({ call, label }: { call: PageCall; label: string }) {
  const written = endpointCall(call.endpoint, call, location.origin)
  return (
    <Tabs defaultValue="curl" mt="xs" keepMounted={false}>
      <Tabs.List aria-label={`${label} in`}>
        {languages.map(({ value, language }) => (
          <Tabs.Tab key={value} value={value}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map(({ value, language, write }) => {
        const text = write(written)
        return (
          <Tabs.Panel key={value} value={value} pt="xs">
            <Group gap="xs" wrap="nowrap" align="flex-start">
              <Code
                block
                tabIndex={0}
                role="region"
                aria-label={`${label} in ${language}`}
                flex={1}
                style={{ overflowX: 'auto', minWidth: 0 }}
              >
                {text}
              </Code>
              <CopyButton text={text} what={`the ${language} code`} />
            </Group>
          </Tabs.Panel>
        )
      })}
    </Tabs>
  )
}
