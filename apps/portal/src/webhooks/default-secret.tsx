import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { webhooks } from '@pdfnorm/contracts/endpoint/webhooks'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { Section } from '../page/section.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { rpc } from '../session/rpc.ts'
import { useMay } from '../session/use-session.ts'
import { defaultSecretQuery } from './queries.ts'
import { RotateSecret } from './rotate-secret.tsx'
import { ShownSecret } from './shown-secret.tsx'

/** The secret of addresses that no webhook is configured for. */
export function DefaultSecret() {
  const mayChange = useMay()('changeWebhooks')
  const [isShown, { toggle }] = useDisclosure(false)
  const { data, error, isFetching } = useQuery({ ...defaultSecretQuery, enabled: isShown })
  return (
    <Section title="Addresses of single requests">
      <Text size="sm">
        A request or a batch may name its own <Code>webhook_url</Code>. What goes there is signed
        with this secret of the organization.
      </Text>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={
            isShown ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />
          }
          onClick={toggle}
          loading={isShown && isFetching && data === undefined}
        >
          {isShown ? 'Hide the secret' : 'Show the secret'}
        </Button>
        {mayChange && (
          <RotateSecret rotate={() => rpc.webhooks.rotateDefaultSecret.mutate()} isShownAgain />
        )}
      </Group>
      {isShown && data !== undefined && (
        <div role="status">
          <ShownSecret secret={data.secret} />
        </div>
      )}
      {isShown && <ProblemAlert error={error} />}
      <Stack gap={0}>
        <CallSnippet
          call={{ endpoint: webhooks.getDefaultWebhookSecret }}
          label="Read the secret"
        />
        {mayChange && (
          <CallSnippet
            call={{ endpoint: webhooks.rotateDefaultWebhookSecret }}
            label="Rotate the secret"
          />
        )}
      </Stack>
    </Section>
  )
}
