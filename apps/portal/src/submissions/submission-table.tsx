import { Group, Table, Text } from '@mantine/core'
import { isTerminal, type Submission } from '@pdfnorm/contracts/schema/submission'
import { sizeOf } from '../page/size-of.ts'
import { When } from '../page/when.tsx'
import { WideTable } from '../page/wide-table.tsx'
import { StatusBadge } from './status-badge.tsx'
import { SubmissionLink } from './submission-link.tsx'

export function SubmissionTable({ submissions }: { submissions: readonly Submission[] }) {
  return (
    <WideTable minWidth={680} label="Submissions">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Submission</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Handed in</Table.Th>
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

function SubmissionRow({ submission }: { submission: Submission }) {
  const { submissionId, status, createdAt, processingTimeMs, outputSizeBytes } = submission
  return (
    <Table.Tr style={{ whiteSpace: 'nowrap' }}>
      <Table.Td>
        <SubmissionLink submissionId={submissionId} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <StatusBadge status={status} />
          <Text span size="xs" c="dimmed">
            {remarkOn(submission)}
          </Text>
        </Group>
      </Table.Td>
      <Table.Td>
        <When at={createdAt} />
      </Table.Td>
      <Table.Td ta="end" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {isTerminal(status) ? `${processingTimeMs.toLocaleString('en')} ms` : '–'}
      </Table.Td>
      <Table.Td ta="end" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {outputSizeBytes === null ? '–' : sizeOf(outputSizeBytes)}
      </Table.Td>
    </Table.Tr>
  )
}

function remarkOn({ failure, warnings }: Submission): string | null {
  if (failure !== undefined) return failure.code
  if (warnings.length === 0) return null
  return `${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`
}
