import { Alert, Button, Flex, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { team as endpoints } from '@pdfnorm/contracts/endpoint/team'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { InviteMemberRequest } from '@pdfnorm/contracts/schema/member'
import { IconMailPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { Section } from '../page/section.tsx'
import { formProblem } from '../problem/form-problem.ts'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { invite } from './invite.ts'

const fieldOf = { email: 'email', role: 'role', ALREADY_MEMBER: 'email', EMAIL_TAKEN: 'email' }
const roles = InviteMemberRequest.shape.role.options

/** @param open how many invitations are open @param isAlone nobody else is there or invited */
export function InviteForm({ open, isAlone }: { open: number; isAlone: boolean }) {
  const form = useForm<InviteMemberRequest>({
    initialValues: { email: '', role: 'member' },
    validate: schemaResolver(InviteMemberRequest, { sync: true }),
    transformValues: ({ email, role }) => ({ email: email.trim(), role }),
  })
  const inviting = useMutation({
    mutationFn: invite,
    onSuccess: ({ email }) => {
      form.setFieldValue('email', '')
      void announce(`An invitation is on its way to ${email}.`)
    },
    onError: (error) => form.setErrors(formProblem(error, fieldOf).byField),
  })
  const { email, role } = form.getTransformedValues()

  return (
    <Section title={isAlone ? 'Invite the first colleague' : 'Invite somebody'}>
      <form noValidate onSubmit={form.onSubmit((values) => inviting.mutate(values))}>
        <Stack>
          <Text size="sm" c="dimmed">
            They get a mail with a link, and choose a password of their own.
          </Text>
          <Flex gap="md" wrap="wrap" align="flex-start">
            <TextInput
              label="E-mail address"
              type="email"
              autoComplete="off"
              style={{ flex: '6 1 260px' }}
              {...form.getInputProps('email')}
            />
            <NativeSelect
              label="Role"
              data={[...roles]}
              style={{ flex: '1 1 140px' }}
              {...form.getInputProps('role')}
            />
            <Button
              type="submit"
              mt={{ base: 0, sm: 25 }}
              leftSection={<IconMailPlus size={16} aria-hidden />}
              loading={inviting.isPending}
            >
              Send the invitation
            </Button>
          </Flex>
          {open >= limits.invitationsPerOrganization && (
            <Alert color="yellow" title={`${open} invitations are open, and that is the most`}>
              Withdraw one, or wait until somebody accepts. Who is invited already can be sent
              another link.
            </Alert>
          )}
          <ProblemAlert error={formProblem(inviting.error, fieldOf).rest} />
          <CallSnippet
            call={{
              endpoint: endpoints.inviteMember,
              body: { email: email || 'grace@example.com', role },
            }}
          />
        </Stack>
      </form>
    </Section>
  )
}
