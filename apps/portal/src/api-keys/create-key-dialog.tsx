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
import { NewKeyDialog } from './new-key-dialog.tsx'
import { apiKeysChanged } from './queries.ts'

const scopes = {
  normalize: { label: 'Normalize', description: 'Submit documents, create batches' },
  read: { label: 'Read', description: 'Read submissions, files, reports and certificates' },
} as const satisfies Record<ApiKeyScope, object>

const KeyForm = z.object({
  name: CreateApiKeyRequest.shape.name,
  scopes: z.array(z.string()).min(1, 'Choose at least one'),
})

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<{ name: string; scopes: ApiKeyScope[]; expiry: Expiry; day: string }>({
    initialValues: { name: '', scopes: ['normalize', 'read'], expiry: 'never', day: '' },
    validate: (values) => ({
      ...schemaResolver(KeyForm, { sync: true })(values),
      ...(values.expiry === 'day' &&
        expiresAtOf('day', values.day, new Date()) === null && { day: 'Choose a day' }),
    }),
  })
  const create = useMutation({
    mutationFn: (request: CreateApiKeyRequest) => rpc.apiKeys.create.mutate(request),
    onSuccess: apiKeysChanged,
    // The answer holds the secret: it goes with the dialog.
    gcTime: 0,
  })
  const { expiry, day, ...values } = form.getValues()
  const request = { ...values, expiresAt: expiresAtOf(expiry, day, new Date()) }
  const problem = formProblem(create.error, {
    name: 'name',
    scopes: 'scopes',
    expiresAt: expiry === 'day' ? 'day' : 'expiry',
  })
  if (create.data !== undefined) {
    return <NewKeyDialog title="The key is created" created={create.data} onClose={onClose} />
  }
  const errorAt = (field: string) => form.errors[field] ?? problem.byField[field]

  return (
    <Dialog opened onClose={onClose} title="Create a key">
      <form noValidate onSubmit={form.onSubmit(() => create.mutate(request))}>
        <Stack>
          <TextInput
            label="Name"
            description="The program that will use it, as “Invoice import”"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
            error={errorAt('name')}
          />
          <Checkbox.Group
            label="It may"
            {...form.getInputProps('scopes')}
            error={errorAt('scopes')}
          >
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
            <Button variant="default" onClick={onClose}>
              Leave it
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create the key
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function withoutNulls(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
