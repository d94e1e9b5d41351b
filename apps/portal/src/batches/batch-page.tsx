import { Code, Group, Pagination, Paper, Stack, Text, Title } from '@mantine/core'
import { batches } from '@pdfnorm/contracts/endpoint/batches'
import { normalize } from '@pdfnorm/contracts/endpoint/normalize'
import type { Batch } from '@pdfnorm/contracts/schema/batch'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { CopyButton } from '../page/copy-button.tsx'
import { PageLink } from '../page/page-link.tsx'
import { Page } from '../page/page.tsx'
import { When } from '../page/when.tsx'
import { useMay } from '../session/use-session.ts'
import { organizationQuery } from '../shell/queries.ts'
import { SubmissionTable } from '../submissions/submission-table.tsx'
import { AddDocument } from './add-document.tsx'
import { BatchProgress } from './batch-progress.tsx'
import { BatchStatusBadge } from './batch-status-badge.tsx'
import { batchQuery, documentsPerPage, documentsQuery } from './queries.ts'

const route = getRouteApi('/member/batches/$batchId')

export function BatchPage() {
  const { batchId } = route.useParams()
  const { data: batch } = useSuspenseQuery(batchQuery(batchId))
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const maySubmit = useMay()('normalizeDocuments') && organization.isActive

  return (
    <Page title={batch.name} lead={<Facts batch={batch} />}>
      <PageLink to="/batches" size="sm">
        All batches
      </PageLink>
      <Paper withBorder p="md">
        <BatchProgress batch={batch} />
      </Paper>
      <Documents batch={batch} />
      {maySubmit && <AddDocument batchId={batchId} />}
      <Stack gap={0}>
        <CallSnippet
          call={{ endpoint: normalize.normalizePdf, body: { batch_id: batchId } }}
          label="Add a document"
        />
        <CallSnippet
          call={{ endpoint: batches.getBatch, path: { batchId } }}
          label="Read this batch"
        />
        <CallSnippet
          call={{ endpoint: batches.listBatchSubmissions, path: { batchId } }}
          label="List its documents"
        />
      </Stack>
    </Page>
  )
}

function Facts({ batch: { batchId, status, createdAt } }: { batch: Batch }) {
  return (
    <Group gap="sm" component="span" display="inline-flex">
      <BatchStatusBadge status={status} />
      <Text span size="sm">
        Created <When at={createdAt} />
      </Text>
      <Group gap={4} component="span" display="inline-flex" wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{batchId}</Code>
        <CopyButton text={batchId} what="the batch's id" />
      </Group>
    </Group>
  )
}

function Documents({ batch }: { batch: Batch }) {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(documentsQuery(batch.batchId, page, batch))
  const pages = Math.ceil(data.total / documentsPerPage)
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Documents
      </Title>
      {data.submissions.length === 0 ? (
        <Text c="dimmed">
          {data.total === 0
            ? 'None was submitted into this batch yet. The first one can be added here.'
            : 'There are not so many pages.'}
        </Text>
      ) : (
        <SubmissionTable submissions={data.submissions} />
      )}
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          siblings={1}
          onChange={(to) => void navigate({ search: { page: to === 1 ? undefined : to } })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(to) => ({ 'aria-label': `Page ${to}` })}
        />
      )}
    </Stack>
  )
}
