import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { dataProtection } from '@pdfnorm/contracts/endpoint/data-protection'
import type { AccountDeletion } from '@pdfnorm/contracts/schema/account-deletion'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { GraveDeed } from '../page/grave-deed.tsx'
import { Section } from '../page/section.tsx'
import { When } from '../page/when.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { rpc } from '../session/rpc.ts'
import { organizationQuery } from '../shell/queries.ts'
import { Countdown } from './countdown.tsx'
import { noteRequest } from './queries.ts'
import { useNow } from './use-now.ts'

const coolingOffHours = limits.deletionCoolingOffSeconds / 3600

/** Asks for the deletion of the organization, and cancels it while there is time. */
export function DeletionSection({ latest }: { latest: AccountDeletion | null }) {
  return (
    <Section title="Delete the organization">
      {latest?.status === 'pending' ? <Pending deletion={latest} /> : <Asking cancelled={latest} />}
    </Section>
  )
}

function Pending({ deletion }: { deletion: AccountDeletion }) {
  const isOver = Date.parse(deletion.cancellableUntil) <= useNow()
  const cancelling = useMutation({
    mutationFn: () => rpc.dataProtection.cancelDeletion.mutate(),
    onSuccess: (cancelled) => {
      void announce('The deletion is cancelled. Everything stays as it is.')
      return noteRequest({ deletion: cancelled })
    },
  })
  return (
    <>
      <Alert
        color="red"
        icon={<IconAlertTriangle aria-hidden />}
        title={isOver ? 'The organization is being deleted' : 'The organization will be deleted'}
      >
        {isOver ? (
          <Text size="sm">
            The time to cancel ended on <When at={deletion.cancellableUntil} />. In a moment nobody
            can sign in any more.
          </Text>
        ) : (
          <Stack gap="xs">
            <Countdown until={deletion.cancellableUntil} />
            <Text size="sm">
              Requested on <When at={deletion.requestedAt} />. It can be cancelled until{' '}
              <When at={deletion.cancellableUntil} />; then all that the organization has is gone.
              Until then everything works as before.
            </Text>
          </Stack>
        )}
      </Alert>
      <ProblemAlert error={cancelling.error} />
      {!isOver && (
        <Group>
          <Button onClick={() => cancelling.mutate()} loading={cancelling.isPending}>
            Keep the organization
          </Button>
        </Group>
      )}
      <div>
        <CallSnippet call={{ endpoint: dataProtection.cancelAccountDeletion }} />
        <CallSnippet call={{ endpoint: dataProtection.getAccountDeletion }} />
      </div>
    </>
  )
}

function Asking({ cancelled }: { cancelled: AccountDeletion | null }) {
  const { data: organization } = useSuspenseQuery(organizationQuery)
  return (
    <>
      <Text size="sm">
        {coolingOffHours} hours after the request, everything is deleted for good. Until then the
        owner cancels it here.
      </Text>
      {cancelled !== null && (
        <Text size="sm" fw={600}>
          The request of <When at={cancelled.requestedAt} /> was cancelled.
        </Text>
      )}
      <GraveDeed
        label="Delete the organization"
        Icon={IconTrash}
        title="Delete the organization?"
        action="Ask for the deletion"
        onConfirm={requestDeletion}
      >
        <Stack gap="xs">
          <Text size="sm">
            In {coolingOffHours} hours, unless it is cancelled until then,{' '}
            <strong dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {organization.name}
            </strong>{' '}
            is deleted for good, with
          </Text>
          <List size="sm">
            <List.Item>all documents, reports, certificates and exports,</List.Item>
            <List.Item>all members, keys, webhooks and batches,</List.Item>
            <List.Item>
              the subscription, which is cancelled; what was used beyond the plan is charged.
            </List.Item>
          </List>
          <Text size="sm">The owner and the organization’s contact get a mail.</Text>
        </Stack>
      </GraveDeed>
      <CallSnippet call={{ endpoint: dataProtection.requestAccountDeletion }} />
    </>
  )
}

async function requestDeletion(): Promise<void> {
  const deletion = await rpc.dataProtection.requestDeletion.mutate()
  void announce('The deletion is requested.')
  await noteRequest({ deletion })
}
