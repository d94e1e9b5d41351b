import { Alert, Button, Group, Text } from '@mantine/core'
import { auth } from '@pdfnorm/contracts/endpoint/auth'
import { IconMail, IconPower } from '@tabler/icons-react'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { DeletionNotice } from '../data-protection/deletion-notice.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { callApi } from '../session/call-api.ts'
import { organizationQuery, useOwnMember } from './queries.ts'

/** What holds on every page until somebody does something about it. */
export function StandingNotices() {
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const member = useOwnMember()
  return (
    <>
      {!organization.isActive && (
        <Alert
          color="red"
          icon={<IconPower aria-hidden />}
          title="The organization is deactivated"
          mb="lg"
        >
          Its keys are revoked and nothing is normalized any more. What is here can still be read.
        </Alert>
      )}
      <DeletionNotice />
      {member?.emailVerified === false && <UnverifiedAddress email={member.email} />}
    </>
  )
}

function UnverifiedAddress({ email }: { email: string }) {
  const resend = useMutation({ mutationFn: () => callApi(auth.resendVerification, { email }) })
  return (
    <Alert
      color="yellow"
      icon={<IconMail aria-hidden />}
      title="Please verify your address"
      mb="lg"
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          A mail with a link went to {email}. Everything works meanwhile.
        </Text>
        <Button
          size="xs"
          variant="default"
          loading={resend.isPending}
          disabled={resend.isSuccess}
          onClick={() => resend.mutate()}
        >
          {resend.isSuccess ? 'Sent' : 'Send it again'}
        </Button>
      </Group>
      <ProblemAlert error={resend.error} />
    </Alert>
  )
}
