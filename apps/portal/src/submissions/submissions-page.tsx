import { Group, Pagination, SegmentedControl, Text } from '@mantine/core'
import { submissions } from '@pdfnorm/contracts/endpoint/submissions'
import { SubmissionStatus } from '@pdfnorm/contracts/schema/submission'
import { IconFiles } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { ButtonLink } from '../page/button-link.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { Page } from '../page/page.tsx'
import { submissionsPerPage, submissionsQuery } from './queries.ts'
import { SubmissionTable } from './submission-table.tsx'

const route = getRouteApi('/member/submissions')
const all = 'all'
const choices = [
  { value: all, label: 'All' },
  { value: 'IN_PROGRESS', label: 'In progress' },
  { value: 'SUCCESS', label: 'Success' },
  { value: 'FAILED', label: 'Failed' },
  { value: 'REJECTED', label: 'Rejected' },
]

export function SubmissionsPage() {
  const { status, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(submissionsQuery({ ...(status && { status }), page }))
  const pages = Math.ceil(data.total / submissionsPerPage)
  const isEmpty = data.total === 0 && status === undefined
  const choose = (value: string) => {
    const chosen = SubmissionStatus.safeParse(value)
    void navigate({ search: chosen.success ? { status: chosen.data } : {} })
  }

  return (
    <Page
      title="Submissions"
      lead="Every document that was handed in, the newest first."
      actions={
        <ButtonLink to="/playground" variant="default">
          Try a document out
        </ButtonLink>
      }
    >
      {isEmpty ? (
        <NoSubmissions />
      ) : (
        <>
          <Group justify="space-between">
            <SegmentedControl
              aria-label="Status"
              data={choices}
              value={status ?? all}
              onChange={choose}
              style={{ maxWidth: '100%', overflowX: 'auto' }}
            />
            <Text size="sm" c="dimmed" role="status">
              {data.total.toLocaleString('en')} {data.total === 1 ? 'submission' : 'submissions'}
            </Text>
          </Group>
          {data.submissions.length === 0 ? (
            <Text c="dimmed">There are none of this kind.</Text>
          ) : (
            <SubmissionTable submissions={data.submissions} />
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
          <CallSnippet
            call={{
              endpoint: submissions.getSubmission,
              path: { submissionId: data.submissions[0]?.submissionId ?? '' },
            }}
            label="Read a submission"
          />
        </>
      )}
    </Page>
  )
}

function NoSubmissions() {
  return (
    <EmptyState
      Icon={IconFiles}
      title="Nothing was handed in yet"
      text="The first document takes a minute: drop one into the playground, or take the sample that is there."
    >
      <Group justify="center">
        <ButtonLink to="/playground" search={{ sample: true }}>
          Normalize a sample
        </ButtonLink>
        <ButtonLink to="/playground" variant="default">
          Use a document of yours
        </ButtonLink>
      </Group>
    </EmptyState>
  )
}
