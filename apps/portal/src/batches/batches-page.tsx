import { Stack } from '@mantine/core'
import { batches } from '@pdfnorm/contracts/endpoint/batches'
import { IconStack2 } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { ButtonLink } from '../page/button-link.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { Page } from '../page/page.tsx'
import { PagedList } from '../page/paged-list.tsx'
import { StatusChoice } from '../page/status-choice.tsx'
import { batchStatusLooks } from './batch-status-badge.tsx'
import { BatchTable } from './batch-table.tsx'
import { batchesPerPage, batchesQuery } from './queries.ts'

const route = getRouteApi('/member/batches')

const createCall = { endpoint: batches.createBatch, body: { name: 'invoices-2026-11' } }

export function BatchesPage() {
  const { status, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(batchesQuery({ ...(status && { status }), page }))

  return (
    <Page
      title="Batches"
      lead="Documents that a program submits together, and how far each group of them has come."
    >
      {data.total === 0 && status === undefined ? (
        <NoBatches />
      ) : (
        <>
          <StatusChoice
            looks={batchStatusLooks}
            status={status}
            onChange={(chosen) => void navigate({ search: { status: chosen } })}
            counted={`${data.total.toLocaleString('en')} ${data.total === 1 ? 'batch' : 'batches'}`}
          />
          <PagedList
            shown={data.batches}
            total={data.total}
            perPage={batchesPerPage}
            page={page}
            onChange={(to) =>
              void navigate({
                search: (search) => ({ ...search, page: to === 1 ? undefined : to }),
              })
            }
          >
            <BatchTable batches={data.batches} />
          </PagedList>
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
