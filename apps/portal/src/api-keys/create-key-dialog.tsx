import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { apiKeys } from '@pdfnorm/contracts/endpoint/api-keys'
import { type ApiKeyScope, CreateApiKeyRequest } from '@pdfnorm/contracts/schema/api-key'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { Dialog } from '../page/dialog.tsx'
import { formProblem } from '../problem/form-problem.ts'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { rpc } from '../session/rpc.ts'
import { expiries, type Expiry, expiresAtOf } from './expiry.ts'
import { NewKey } from './new-key.tsx'
import { apiKeysChanged } from './queries.ts'

const scopes = {
  normalize: { label: 'Normalize', description: 'Submit documents, create batches' },
  read: { label: 'Read', description: 'Read submissions, files, reports and certificates' },
} as const satisfies Record<ApiKeyScope, object>

/** What is asked for, before the server is. */
const KeyFields = z.object({
  name: CreateApiKeyRequest.shape.name,
  scopes: z.array(z.string()).min(1, 'Choose at least one'),
})

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useMutation({
    mutationFn: (request: CreateApiKeyRequest) => rpc.apiKeys.create.mutate(request),
    onSuccess: apiKeysChanged,
    // The answer holds the secret: it goes with the dialog.
    gcTime: 0,
  })
  const created = create.data
  return (
    <Dialog
      opened
      onClose={onClose}
      title={created === undefined ? 'Create a key' : 'The key is created'}
      size="lg"
      isKept={created !== undefined}
    >
      {created === undefined ? (
        <KeyForm
          pending={create.isPending}
          error={create.error}
          onSubmit={(request) => create.mutate(request)}
          onCancel={onClose}
        />
      ) : (
        <NewKey created={created} onDone={onClose} />
      )}
    </Dialog>
  )
}

function KeyForm({
  pending,
  error,
  onSubmit,
  onCancel,
}: {
  pending: boolean
  error: unknown
  onSubmit: (request: CreateApiKeyRequest) => void
  onCancel: () => void
}) {
  const form = useForm<{ name: string; scopes: ApiKeyScope[]; expiry: Expiry; day: string }>({
    initialValues: { name: '', scopes: ['normalize', 'read'], expiry: 'never', day: '' },
    validate: (values) => ({
      ...schemaResolver(KeyFields, { sync: true })(values),
      ...(values.expiry === 'day' &&
        expiresAtOf('day', values.day, new Date()) === null && { day: 'Choose a day' }),
    }),
  })
  const { expiry, day, ...values } = form.getValues()
  const request = { ...values, expiresAt: expiresAtOf(expiry, day, new Date()) }
  const problem = formProblem(error, {
    name: 'name',
    scopes: 'scopes',
    expiresAt: expiry === 'day' ? 'day' : 'expiry',
  })
  const errorAt = (field: string) => form.errors[field] ?? problem.byField[field]

  return (
    <form noValidate onSubmit={form.onSubmit(() => onSubmit(request))}>
      <Stack>
        <TextInput
          label="Name"
          description="The program that will use it, as “Invoice import”"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
          error={errorAt('name')}
        />
        <Checkbox.Group label="It may" {...form.getInputProps('scopes')} error={errorAt('scopes')}>
          <Stack gap="xs" mt={6}>
            {Object.entries(scopes).map(([scope, { label, description }]) => (
              <Checkbox key={scope} value={scope} label={label} description={description} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label="Expires"
          data={expiries.map(({ value, label }) => ({ value, label }))}
          {...form.getInputProps('expiry')}
          error={errorAt('expiry')}
        />
        {expiry === 'day' && (
          <TextInput
            type="date"
            label="Last day"
            description="It works until the end of this day, where you are"
            {...form.getInputProps('day')}
            error={errorAt('day')}
          />
        )}
        <ProblemAlert error={problem.rest} />
        <CallSnippet
          call={{ endpoint: apiKeys.createApiKey, body: withoutNulls(request) }}
          label="Create this key"
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={pending}>
            Create the key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function withoutNulls(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
