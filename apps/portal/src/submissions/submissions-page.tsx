import { Group } from '@mantine/core'
import { submissions } from '@pdfnorm/contracts/endpoint/submissions'
import { IconFiles } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { ButtonLink } from '../page/button-link.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { Page } from '../page/page.tsx'
import { PagedList } from '../page/paged-list.tsx'
import { StatusChoice } from '../page/status-choice.tsx'
import { submissionsPerPage, submissionsQuery } from './queries.ts'
import { submissionStatusLooks } from './status-badge.tsx'
import { SubmissionTable } from './submission-table.tsx'

const route = getRouteApi('/member/submissions')

export function SubmissionsPage() {
  const { status, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(submissionsQuery({ ...(status && { status }), page }))
  const [newest] = data.submissions
  const isEmpty = data.total === 0 && status === undefined

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
          <StatusChoice
            looks={submissionStatusLooks}
            status={status}
            onChange={(chosen) => void navigate({ search: { status: chosen } })}
            counted={`${data.total.toLocaleString('en')} ${data.total === 1 ? 'submission' : 'submissions'}`}
          />
          <PagedList
            shown={data.submissions}
            total={data.total}
            perPage={submissionsPerPage}
            page={page}
            onChange={(to) =>
              void navigate({
                search: (search) => ({ ...search, page: to === 1 ? undefined : to }),
              })
            }
          >
            <SubmissionTable submissions={data.submissions} />
          </PagedList>
          <CallSnippet
            call={{
              endpoint: submissions.getSubmission,
              ...(newest && { path: { submissionId: newest.submissionId } }),
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
