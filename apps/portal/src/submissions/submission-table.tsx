import { Code, Table, Text } from '@mantine/core'
import type { Submission } from '@pdfnorm/contracts/schema/submission'
import { PageLink } from '../page/page-link.tsx'
import { sizeOf } from '../page/size-of.ts'
import { When } from '../page/when.tsx'
import { WideTable } from '../page/wide-table.tsx'
import { StatusBadge } from './status-badge.tsx'

export function SubmissionTable({ submissions }: { submissions: readonly Submission[] }) {
  return (
    <WideTable minWidth={560} label="Submissions">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Handed in</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Submission</Table.Th>
          <Table.Th ta="end">Took</Table.Th>
          <Table.Th ta="end">Output</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {submissions.map((submission) => (
          <SubmissionRow key={submission.submissionId} submission={submission} />
        ))}
      </Table.Tbody>
    </WideTable>
  )
}

function SubmissionRow({
  submission: {
    submissionId,
    createdAt,
    status,
    processingTimeMs,
    outputSizeBytes,
    warnings,
    failure,
  },
}: {
  submission: Submission
}) {
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <When at={createdAt} />
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status} />
        {(failure !== undefined || warnings.length > 0) && (
          <Text size="xs" c="dimmed" mt={2}>
            {failure?.code ??
              `${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <PageLink to="/submissions/$submissionId" params={{ submissionId }} size="sm">
          <Code style={{ background: 'none', color: 'inherit' }}>{submissionId}</Code>
        </PageLink>
      </Table.Td>
      <Table.Td ta="end" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
        {processingTimeMs.toLocaleString('en')} ms
      </Table.Td>
      <Table.Td ta="end" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
        {outputSizeBytes === null ? '–' : sizeOf(outputSizeBytes)}
      </Table.Td>
    </Table.Tr>
  )
}
