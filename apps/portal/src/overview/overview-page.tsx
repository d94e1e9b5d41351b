import { Group, Paper, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core'
import { normalize } from '@pdfnorm/contracts/endpoint/normalize'
import { IconFileUpload } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { ButtonLink } from '../page/button-link.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { Figure } from '../page/figure.tsx'
import { PageLink } from '../page/page-link.tsx'
import { Page } from '../page/page.tsx'
import { historyQuery, statisticsQuery } from './queries.ts'
import { QuotaBar } from './quota-bar.tsx'
import { RecentSubmissions } from './recent-submissions.tsx'

const UsageCharts = lazy(() => import('./usage-charts.tsx'))

export function OverviewPage() {
  const { data: statistics } = useSuspenseQuery(statisticsQuery)
  const { data: history } = useSuspenseQuery(historyQuery)
  const [now] = useState(Date.now)
  const { allTime, averageProcessingMs, recentSubmissions } = statistics

  return (
    <Page
      title="Overview"
      actions={
        <ButtonLink
          to="/playground"
          leftSection={<IconFileUpload size={16} aria-hidden />}
          variant={allTime.total === 0 ? 'default' : 'filled'}
        >
          Normalize a PDF
        </ButtonLink>
      }
    >
      <QuotaBar statistics={statistics} cycle={history.cycle} now={now} />
      {allTime.total === 0 ? (
        <FirstSteps />
      ) : (
        <>
          <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md">
            <Figure name="Submissions" note="since the beginning">
              {allTime.total.toLocaleString('en')}
            </Figure>
            <Figure
              name="Success"
              note={
                averageProcessingMs === null
                  ? 'none yet'
                  : `in ${averageProcessingMs.toLocaleString('en')} ms on average`
              }
            >
              {allTime.success.toLocaleString('en')}
            </Figure>
            <Figure name="Failed" note={shareOf(allTime.failed, allTime.total)}>
              {allTime.failed.toLocaleString('en')}
            </Figure>
            <Figure name="Rejected" note={shareOf(allTime.rejected, allTime.total)}>
              {allTime.rejected.toLocaleString('en')}
            </Figure>
          </SimpleGrid>
          <Suspense fallback={<Skeleton height={300} />}>
            <UsageCharts history={history} now={now} />
          </Suspense>
          <Paper withBorder p="md">
            <Stack gap="sm">
              <Group justify="space-between">
                <Title order={2} size="h5">
                  Recent submissions
                </Title>
                <PageLink to="/submissions" size="sm">
                  All submissions
                </PageLink>
              </Group>
              <RecentSubmissions submissions={recentSubmissions} />
            </Stack>
          </Paper>
        </>
      )}
    </Page>
  )
}

function shareOf(part: number, total: number): string {
  return `${((100 * part) / total).toLocaleString('en', { maximumFractionDigits: 1 })} % of all`
}

function FirstSteps() {
  return (
    <>
      <EmptyState
        Icon={IconFileUpload}
        title="Normalize the first PDF"
        text="Any PDF goes in; one canonical file comes out, with a report of what was found in it and a certificate that anyone can verify."
      >
        <Group justify="center">
          <ButtonLink to="/playground" search={{ sample: true }}>
            Normalize a sample
          </ButtonLink>
          <ButtonLink to="/api-keys" variant="default">
            Make a key for a program
          </ButtonLink>
        </Group>
      </EmptyState>
      <CallSnippet call={{ endpoint: normalize.normalizePdf }} label="Normalize" initiallyOpen />
    </>
  )
}
