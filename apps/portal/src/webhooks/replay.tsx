import { Button, Group, Stack } from '@mantine/core'
import { webhooks } from '@pdfnorm/contracts/endpoint/webhooks'
import { IconRepeat } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { rpc } from '../session/rpc.ts'
import { useMay } from '../session/use-session.ts'
import { readWebhooksAnew } from './queries.ts'

/** Sends a dead event again. */
export function Replay({ eventId }: { eventId: string }) {
  const may = useMay()
  const replay = useMutation({
    mutationFn: () => rpc.webhooks.replayDeadLetter.mutate({ eventId }),
    onSuccess: async () => {
      void announce('The event is on its way again.')
      // The button goes with what it stands at: the keyboard goes on at the top.
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
      await readWebhooksAnew()
    },
  })
  if (!may('replayDeadLetters')) return null
  return (
    <Stack gap="xs">
      <Group>
        <Button
          size="sm"
          leftSection={<IconRepeat size={16} aria-hidden />}
          loading={replay.isPending}
          onClick={() => replay.mutate()}
        >
          Replay the event
        </Button>
      </Group>
      <ProblemAlert error={replay.error} />
      <CallSnippet
        call={{ endpoint: webhooks.replayDeadLetter, path: { eventId } }}
        label="Replay the event"
      />
    </Stack>
  )
}
