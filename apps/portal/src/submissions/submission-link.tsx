import { Code } from '@mantine/core'
import { PageLink } from '../page/page-link.tsx'
import { shortId } from './short-id.ts'

/** Leads to a submission by the end of its id, which tells the newest apart where the beginning is the time. */
export function SubmissionLink({ submissionId }: { submissionId: string }) {
  return (
    <PageLink
      to="/submissions/$submissionId"
      params={{ submissionId }}
      size="sm"
      title={submissionId}
    >
      <Code p={0} style={{ background: 'none', color: 'inherit' }}>
        {shortId(submissionId)}
      </Code>
    </PageLink>
  )
}
