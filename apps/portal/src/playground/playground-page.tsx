import { Anchor, Button, Grid, Group, Paper, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { normalize } from '@pdfnorm/contracts/endpoint/normalize'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { DropArea } from '../page/drop-area.tsx'
import { PageLink } from '../page/page-link.tsx'
import { Page } from '../page/page.tsx'
import { useFocusKept } from '../page/use-focus-kept.ts'
import { sizeOf } from '../page/size-of.ts'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { organizationQuery } from '../shell/queries.ts'
import { StatusBadge } from '../submissions/status-badge.tsx'
import { changedFields, defaultOptions, DocumentOptionsForm } from './document-options.tsx'
import { sampleDocument } from './sample-document.ts'
import { type Trial, useTrial } from './use-trial.ts'

const route = getRouteApi('/member/playground')
const TrialResult = lazy(() => import('./trial-result.tsx'))

export function PlaygroundPage() {
  const { sample } = route.useSearch()
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const [options, setOptions] = useState(defaultOptions)
  const { trial, start, clear } = useTrial()
  const submit = (file: File) => start(file, changedFields(options))

  const navigate = route.useNavigate()
  const startSample = useRef(() => {
    submit(sampleDocument())
    // Once: who loads the page again, or comes back to it, does not hand in another one.
    void navigate({ search: {}, replace: true })
  })
  useEffect(() => {
    if (sample) startSample.current()
  }, [sample])

  const mostBytes = plans[organization.planTier].maxFileBytes
  useFocusKept(trial === null)
  const isBusy = trial !== null && !trial.hasEnded && trial.error === null
  return (
    <Page
      title="Playground"
      lead="Drop a PDF and see what becomes of it. It counts as a document of the plan if it succeeds."
      actions={
        trial !== null && (
          <Button variant="default" onClick={clear}>
            {isBusy ? 'Stop' : 'Another document'}
          </Button>
        )
      }
    >
      {trial === null ? (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <DropArea
              accept="application/pdf,.pdf"
              label="Drop a PDF here"
              action="Choose a file"
              mostBytes={mostBytes}
              onFile={submit}
            >
              <Text size="sm" c="dimmed">
                Up to {sizeOf(mostBytes)}. None at hand?{' '}
                <Anchor component="button" inherit onClick={() => submit(sampleDocument())}>
                  Use a sample
                </Anchor>
              </Text>
            </DropArea>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <DocumentOptionsForm options={options} onChange={setOptions} />
          </Grid.Col>
        </Grid>
      ) : (
        <>
          <TrialHead trial={trial} />
          <ProblemAlert error={trial.error} />
          {trial.error === null && (
            <Suspense fallback={<Skeleton height={420} />}>
              <TrialResult trial={trial} />
            </Suspense>
          )}
        </>
      )}
      <CallSnippet
        call={{ endpoint: normalize.normalizePdf, body: changedFields(options) }}
        label="Normalize"
        initiallyOpen={trial === null}
      />
    </Page>
  )
}

function TrialHead({ trial: { file, sent, response, error } }: { trial: Trial }) {
  const isUploading = response === undefined && error === null
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Text fw={600} style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
            <bdi>{file.name}</bdi>{' '}
            <Text span c="dimmed" inherit fw={400} style={{ whiteSpace: 'nowrap' }}>
              {sizeOf(file.size)}
            </Text>
          </Text>
          {response && <StatusBadge status={response.status} />}
        </Group>
        {isUploading && (
          <Progress value={sent * 100} animated={sent === 1} aria-label="Uploaded" size="md" />
        )}
        <Group gap="md" style={{ rowGap: 0 }}>
          <Text size="sm" c="dimmed" role="status">
            {isUploading && (sent < 1 ? 'Uploading' : 'In the pipeline')}
            {response?.status === 'PENDING' && 'It waits for its turn.'}
            {response?.status === 'IN_PROGRESS' && 'It takes longer: it goes on in the background.'}
            {response?.status === 'SUCCESS' &&
              `Done in ${response.processingTimeMs.toLocaleString('en')} ms.`}
            {response?.status === 'FAILED' && 'It could not be normalized; no document was used.'}
            {response?.status === 'REJECTED' && 'A policy refused it; no document was used.'}
          </Text>
          {response && (
            <PageLink
              to="/submissions/$submissionId"
              params={{ submissionId: response.submissionId }}
              size="sm"
            >
              Its submission
            </PageLink>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}
