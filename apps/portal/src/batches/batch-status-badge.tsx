import { Badge } from '@mantine/core'
import type { BatchStatus } from '@pdfnorm/contracts/schema/batch'

export const batchStatusLooks = {
  open: { color: 'gray', label: 'Open' },
  in_progress: { color: 'blue', label: 'In progress' },
  complete: { color: 'green', label: 'Complete' },
} as const satisfies Record<BatchStatus, object>

export function BatchStatusBadge({ status }: { status: BatchStatus }) {
  const { color, label } = batchStatusLooks[status]
  return (
    <Badge color={color} variant="light" tt="none">
      {label}
    </Badge>
  )
}
