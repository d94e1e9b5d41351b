import { Badge } from '@mantine/core'
import type { SubmissionStatus } from '@pdfnorm/contracts/schema/submission'

export const submissionStatusLooks = {
  PENDING: { color: 'gray', label: 'Pending' },
  IN_PROGRESS: { color: 'blue', label: 'In progress' },
  SUCCESS: { color: 'green', label: 'Success' },
  FAILED: { color: 'red', label: 'Failed' },
  REJECTED: { color: 'orange', label: 'Rejected' },
} as const satisfies Record<SubmissionStatus, object>

export function StatusBadge({ status }: { status: SubmissionStatus }) {
  const { color, label } = submissionStatusLooks[status]
  return (
    <Badge color={color} variant="light" tt="none">
      {label}
    </Badge>
  )
}
