import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { ForgotPasswordRequest } from '@pdfnorm/contracts/schema/session'
import { IconMail } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { PageLink } from '../page/page-link.tsx'
import { useFocusKept } from '../page/use-focus-kept.ts'
import { type CalledEndpoint, callApi } from '../session/call-api.ts'
import { VisitorPage } from './visitor-page.tsx'

/** Asks for a mail with a link; whether the address is known stays with the service. */
export function MailRequestPage({
  title,
  lead,
  endpoint,
  sent,
}: {
  title: string
  lead: string
  endpoint: CalledEndpoint
  sent: string
}) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: schemaResolver(ForgotPasswordRequest, { sync: true }),
  })
  const request = useMutation({
    mutationFn: (body: ForgotPasswordRequest) => callApi(endpoint, body),
  })
  useFocusKept(request.isSuccess)

  return (
    <VisitorPage title={title} lead={lead}>
      {request.isSuccess ? (
        <Alert color="green" icon={<IconMail aria-hidden />} role="status">
          {sent}
        </Alert>
      ) : (
        <form noValidate onSubmit={form.onSubmit((values) => request.mutate(values))}>
          <Stack>
            <TextInput
              label="E-mail address"
              type="email"
              autoComplete="email"
              key={form.key('email')}
              {...form.getInputProps('email')}
            />
            <ProblemAlert error={request.error} />
            <Button type="submit" loading={request.isPending}>
              Send the mail
            </Button>
          </Stack>
        </form>
      )}
      <Text size="sm">
        <PageLink to="/sign-in" inherit>
          Back to sign-in
        </PageLink>
      </Text>
    </VisitorPage>
  )
}
