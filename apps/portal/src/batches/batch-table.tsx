import { Table } from '@mantine/core'
import type { Batch } from '@pdfnorm/contracts/schema/batch'
import { PageLink } from '../page/page-link.tsx'
import { When } from '../page/when.tsx'
import { WideTable } from '../page/wide-table.tsx'
import { BatchProgress } from './batch-progress.tsx'
import { BatchStatusBadge } from './batch-status-badge.tsx'

export function BatchTable({ batches }: { batches: readonly Batch[] }) {
  return (
    <WideTable minWidth={640} label="Batches">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Batch</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Progress</Table.Th>
          <Table.Th>Created</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {batches.map((batch) => (
          <Table.Tr key={batch.batchId}>
            <Table.Td miw={180} maw={280}>
              <PageLink
                to="/batches/$batchId"
                params={{ batchId: batch.batchId }}
                size="sm"
                dir="auto"
                lineClamp={2}
                title={batch.name}
                style={{ overflowWrap: 'anywhere' }}
              >
                {batch.name}
              </PageLink>
            </Table.Td>
            <Table.Td>
              <BatchStatusBadge status={batch.status} />
            </Table.Td>
            <Table.Td miw={220}>
              <BatchProgress batch={batch} />
            </Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <When at={batch.createdAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  )
}
