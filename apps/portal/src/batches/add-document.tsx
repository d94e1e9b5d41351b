import { Progress, Stack, Text, Title } from '@mantine/core'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { announce } from '../page/announce.ts'
import { DropArea } from '../page/drop-area.tsx'
import { useFocusKept } from '../page/use-focus-kept.ts'
import { submitDocument } from '../playground/submit-document.ts'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { queryClient } from '../session/query-client.ts'
import { organizationQuery } from '../shell/queries.ts'

/** Submits a document into a batch, as a program does with `batch_id`. */
export function AddDocument({ batchId }: { batchId: string }) {
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const [sent, setSent] = useState(0)
  const leaving = useRef<AbortController>(null)
  useEffect(() => {
    leaving.current = new AbortController()
    return () => leaving.current?.abort()
  }, [batchId])

  const adding = useMutation({
    mutationFn: (file: File) => {
      setSent(0)
      const { signal } = leaving.current ?? new AbortController()
      return submitDocument(file, { batch_id: batchId }, { signal, onProgress: setSent })
    },
    onSuccess: (_, file) => announce(`${file.name} was added.`),
    // Also after a refusal: a document that was rejected is one of the batch.
    onSettled: () =>
      Promise.all(
        [['batch', batchId], ['batches'], ['submissions'], ['statistics'], ['billing']].map(
          (queryKey) => queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  })

  const headingId = useId()
  useFocusKept(adding.isPending, `#${headingId}`)

  return (
    <Stack gap="sm">
      <Title order={2} size="h4" id={headingId} tabIndex={-1} style={{ outline: 'none' }}>
        Add a document
      </Title>
      {adding.isPending ? (
        <Stack gap={6} role="status">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {sent < 1 ? 'Uploading' : 'Normalizing'} <bdi>{adding.variables.name}</bdi>
          </Text>
          <Progress value={sent * 100} animated={sent === 1} aria-label="Upload" />
        </Stack>
      ) : (
        <DropArea
          accept="application/pdf,.pdf"
          label="Drop a PDF here"
          action="Choose a file"
          mostBytes={plans[organization.planTier].maxFileBytes}
          onFile={(file) => adding.mutate(file)}
        >
          <Text size="sm" c="dimmed">
            It counts towards the plan, as every document does.
          </Text>
        </DropArea>
      )}
      <ProblemAlert error={adding.error} />
    </Stack>
  )
}
