import { Table } from '@mantine/core'
import type { RecentSubmission } from '@pdfnorm/contracts/schema/statistics'
import { PageLink } from '../page/page-link.tsx'
import { When } from '../page/when.tsx'
import { StatusBadge } from '../submissions/status-badge.tsx'

/** The newest submissions in brief, each of which leads to its page. */
export function RecentSubmissions({ submissions }: { submissions: readonly RecentSubmission[] }) {
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Handed in</Table.Th>
          <Table.Th>Status</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {submissions.map(({ submissionId, createdAt, status }) => (
          <Table.Tr key={submissionId}>
            <Table.Td>
              <PageLink to="/submissions/$submissionId" params={{ submissionId }} size="sm">
                <When at={createdAt} />
              </PageLink>
            </Table.Td>
            <Table.Td>
              <StatusBadge status={status} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
