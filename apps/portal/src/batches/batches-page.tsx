import { Group, Pagination, SegmentedControl, Stack, Text } from '@mantine/core'
import { batches } from '@pdfnorm/contracts/endpoint/batches'
import { BatchStatus } from '@pdfnorm/contracts/schema/batch'
import { IconStack2 } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { ButtonLink } from '../page/button-link.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { Page } from '../page/page.tsx'
import { batchStatusLooks } from './batch-status-badge.tsx'
import { BatchTable } from './batch-table.tsx'
import { batchesPerPage, batchesQuery } from './queries.ts'

const route = getRouteApi('/member/batches')
const all = 'all'

const createCall = { endpoint: batches.createBatch, body: { name: 'invoices-2026-11' } }

export function BatchesPage() {
  const { status, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(batchesQuery({ ...(status && { status }), page }))
  const pages = Math.ceil(data.total / batchesPerPage)
  const choose = (value: string) => {
    const chosen = BatchStatus.safeParse(value)
    void navigate({ search: chosen.success ? { status: chosen.data } : {} })
  }

  return (
    <Page
      title="Batches"
      lead="Groups of documents that belong together, as programs create them, with how far each has come."
    >
      {data.total === 0 && status === undefined ? (
        <NoBatches />
      ) : (
        <>
          <Group justify="space-between">
            <SegmentedControl
              aria-label="Status"
              data={[
                { value: all, label: 'All' },
                ...BatchStatus.options.map((value) => ({
                  value,
                  label: batchStatusLooks[value].label,
                })),
              ]}
              value={status ?? all}
              onChange={choose}
            />
            <Text size="sm" c="dimmed" role="status">
              {data.total.toLocaleString('en')} {data.total === 1 ? 'batch' : 'batches'}
            </Text>
          </Group>
          {data.batches.length === 0 ? (
            <Text c="dimmed">There are none of this kind.</Text>
          ) : (
            <BatchTable batches={data.batches} />
          )}
          {pages > 1 && (
            <Pagination
              total={pages}
              value={page}
              siblings={1}
              onChange={(to) =>
                void navigate({
                  search: (search) => ({ ...search, page: to === 1 ? undefined : to }),
                })
              }
              getControlProps={(control) => ({ 'aria-label': `${control} page` })}
              getItemProps={(to) => ({ 'aria-label': `Page ${to}` })}
            />
          )}
          <Stack gap={0}>
            <CallSnippet
              call={{ endpoint: batches.listBatches, query: { status } }}
              label="List the batches"
            />
            <CallSnippet call={createCall} label="Create a batch" />
          </Stack>
        </>
      )}
    </Page>
  )
}

function NoBatches() {
  return (
    <>
      <EmptyState
        Icon={IconStack2}
        title="There is no batch yet"
        text="A program creates a batch with its key, then names it with each document that it submits. When all have ended, a webhook tells."
      >
        <ButtonLink to="/api-keys" variant="default">
          To the API keys
        </ButtonLink>
      </EmptyState>
      <CallSnippet call={createCall} label="Create a batch" initiallyOpen />
    </>
  )
}
