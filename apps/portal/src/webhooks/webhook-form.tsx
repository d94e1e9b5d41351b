import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { limits } from '@pdfnorm/contracts/schema/limit'
import {
  CreateWebhookRequest,
  SubmissionEventName,
  type WebhookConfiguration,
} from '@pdfnorm/contracts/schema/webhook-endpoint'
import { type ReactNode, useEffect } from 'react'
import { formProblem } from '../problem/form-problem.ts'
import { ProblemAlert } from '../problem/problem-alert.tsx'

export type WebhookChoice = Pick<WebhookConfiguration, 'url' | 'events'>

const fieldOf = { url: 'url', events: 'events', WEBHOOK_URL_FORBIDDEN: 'url' }

const eventWords: Record<SubmissionEventName, string> = {
  'normalization.success': 'A document was normalized.',
  'normalization.failure': 'A document could not be normalized.',
  'normalization.rejected': 'A document was refused by policy.',
}

/** Where events go and which ones. @param children what stands between the fields and the buttons */
export function WebhookForm({
  initial,
  action,
  pending,
  error,
  onSubmit,
  onCancel,
  children,
}: {
  initial: WebhookChoice
  action: string
  pending: boolean
  error: unknown
  onSubmit: (choice: WebhookChoice) => void
  onCancel: () => void
  children?: (choice: WebhookChoice) => ReactNode
}) {
  const form = useForm<WebhookChoice>({ initialValues: initial, validate: faultsOf })
  const { setErrors } = form
  useEffect(() => {
    setErrors(formProblem(error, fieldOf).byField)
  }, [error, setErrors])

  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ url, events }) => onSubmit({ url: url.trim(), events }))}
    >
      <Stack>
        <TextInput
          label="Address"
          description="What can be reached from the internet by HTTPS"
          placeholder="https://example.com/hooks/pdfnorm"
          type="url"
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          data-autofocus
          {...form.getInputProps('url')}
        />
        <Checkbox.Group label="Events" {...form.getInputProps('events')}>
          <Stack gap="xs" mt={6} mb={6}>
            {SubmissionEventName.options.map((event) => (
              <Checkbox key={event} value={event} label={event} description={eventWords[event]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <ProblemAlert error={formProblem(error, fieldOf).rest} />
        {children?.(form.values)}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={pending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** By the schema of the interface, in words for a person. */
function faultsOf({ url, events }: WebhookChoice): Record<string, string> {
  const checked = CreateWebhookRequest.safeParse({ url: url.trim(), events })
  const issues = checked.success ? [] : checked.error.issues
  const words: Record<string, string> = {
    url:
      url.length > limits.urlMaxCharacters
        ? `An address has ${limits.urlMaxCharacters} characters at most.`
        : 'Give a whole address, as https://example.com/hooks/pdfnorm.',
    events: 'Choose at least one event.',
  }
  return Object.fromEntries(
    issues.map(({ path: [field = ''], message }) => [field, words[String(field)] ?? message]),
  )
}
