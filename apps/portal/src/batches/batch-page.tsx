import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { batches } from '@pdfnorm/contracts/endpoint/batches'
import { normalize } from '@pdfnorm/contracts/endpoint/normalize'
import type { Batch } from '@pdfnorm/contracts/schema/batch'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { CopyButton } from '../page/copy-button.tsx'
import { PageLink } from '../page/page-link.tsx'
import { Page } from '../page/page.tsx'
import { PagedList } from '../page/paged-list.tsx'
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
    <Page
      back={
        <PageLink to="/batches" size="sm">
          All batches
        </PageLink>
      }
      title={batch.name}
      lead={<Facts batch={batch} />}
    >
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
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Documents
      </Title>
      <PagedList
        shown={data.submissions}
        none="None was submitted into this batch yet. The first one can be added here."
        total={data.total}
        perPage={documentsPerPage}
        page={page}
        onChange={(to) => void navigate({ search: { page: to === 1 ? undefined : to } })}
      >
        <SubmissionTable submissions={data.submissions} />
      </PagedList>
    </Stack>
  )
}
