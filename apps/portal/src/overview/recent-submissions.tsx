import { Table } from '@mantine/core'
import type { RecentSubmission } from '@pdfnorm/contracts/schema/statistics'
import { When } from '../page/when.tsx'
import { StatusBadge } from '../submissions/status-badge.tsx'
import { SubmissionLink } from '../submissions/submission-link.tsx'

/** The newest submissions in brief, each of which leads to its page. */
export function RecentSubmissions({ submissions }: { submissions: readonly RecentSubmission[] }) {
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Submission</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Handed in</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {submissions.map(({ submissionId, createdAt, status }) => (
          <Table.Tr key={submissionId}>
            <Table.Td>
              <SubmissionLink submissionId={submissionId} />
            </Table.Td>
            <Table.Td>
              <StatusBadge status={status} />
            </Table.Td>
            <Table.Td>
              <When at={createdAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
