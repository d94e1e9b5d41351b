import { Alert, Code, Grid, Group, Stack, Text } from '@mantine/core'
import { IconClockOff } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { CopyButton } from '../page/copy-button.tsx'
import { PageLink } from '../page/page-link.tsx'
import { Page } from '../page/page.tsx'
import { When } from '../page/when.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { problemOf } from '../problem/problem-of.ts'
import { fetchArtifact } from './fetch-artifact.ts'
import { Findings } from './findings.tsx'
import { Output } from './output.tsx'
import { PageComparison } from './page-comparison.tsx'
import { reportQuery, type SubmissionDetails, submissionQuery } from './queries.ts'
import { shortId } from './short-id.ts'
import { StageList } from './stage-list.tsx'
import { StatusBadge } from './status-badge.tsx'

// The endpoints bring their schemas with them, and stand at the foot of the page.
const SubmissionCalls = lazy(async () => ({
  default: (await import('./submission-calls.tsx')).SubmissionCalls,
}))

const route = getRouteApi('/member/submissions/$submissionId')

export function SubmissionPage() {
  const { submissionId } = route.useParams()
  const { data: submission } = useSuspenseQuery(submissionQuery(submissionId))
  const hash = submission.normalized?.sha256
  const report = useQuery({ ...reportQuery(hash ?? ''), enabled: hash !== undefined, retry: false })
  const file = useQuery({
    queryKey: ['artifact', hash],
    queryFn: () => fetchArtifact(hash ?? ''),
    enabled: hash !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const isOver = report.isError && problemOf(report.error).code === 'EXPIRED'

  return (
    <Page
      back={
        <PageLink to="/submissions" size="sm">
          All submissions
        </PageLink>
      }
      title={`Submission ${shortId(submissionId)}`}
      lead={<Facts submission={submission} />}
    >
      {isOver ? (
        <Alert
          color="gray"
          icon={<IconClockOff aria-hidden />}
          title="The file is not kept any more"
        >
          Its retention period is over, and the report went with it. What was found stays here.
        </Alert>
      ) : (
        <ProblemAlert error={report.error} />
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            {!isOver && (
              <StageList stages={report.data?.stages} endedIn={submission.failure?.stage} />
            )}
            <Output response={submission} isOver={isOver} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Findings found={submission} />
            {hash !== undefined && !file.isError && !isOver && (
              <PageComparison
                documents={[{ id: `after ${hash}`, label: 'Normalized', bytes: file.data }]}
              />
            )}
          </Stack>
        </Grid.Col>
      </Grid>
      <Suspense fallback={null}>
        <SubmissionCalls submissionId={submissionId} hash={hash} />
      </Suspense>
    </Page>
  )
}

function Facts({ submission }: { submission: SubmissionDetails }) {
  const { submissionId, status, createdAt, completedAt, processingTimeMs, region, batchId } =
    submission
  return (
    <Group gap="sm" component="span" display="inline-flex" style={{ rowGap: 0 }}>
      <StatusBadge status={status} />
      <Text span size="sm">
        Handed in <When at={createdAt} />
        {completedAt !== null && `, took ${processingTimeMs.toLocaleString('en')} ms`}, in {region}
        {batchId !== null && (
          <>
            , in{' '}
            <PageLink to="/batches/$batchId" params={{ batchId }} inherit>
              its batch
            </PageLink>
          </>
        )}
      </Text>
      <Group gap={4} component="span" display="inline-flex" wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{submissionId}</Code>
        <CopyButton text={submissionId} what="the submission's id" />
      </Group>
    </Group>
  )
}
