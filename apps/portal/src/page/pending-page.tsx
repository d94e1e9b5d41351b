import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** Stands where a page will, while what it shows is on its way. */
export function PendingPage() {
  return (
    <Stack gap="lg" aria-busy="true">
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      <Skeleton height={34} width="min(260px, 60%)" />
      <Skeleton height={120} />
      <Skeleton height={220} />
    </Stack>
  )
}
