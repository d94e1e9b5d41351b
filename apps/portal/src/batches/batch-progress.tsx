import { Progress, Stack, Text } from '@mantine/core'
import type { Batch } from '@pdfnorm/contracts/schema/batch'

const parts = [
  { count: 'completed', color: 'green', word: 'success' },
  { count: 'failed', color: 'red', word: 'failed' },
  { count: 'rejected', color: 'orange', word: 'rejected' },
] as const

/** How far a batch has come; the text says all that the bar shows. */
export function BatchProgress({ batch }: { batch: Batch }) {
  const { name, total } = batch
  const ended = parts.reduce((sum, { count }) => sum + batch[count], 0)
  const words = parts
    .filter(({ count }) => batch[count] > 0)
    .map(({ count, word }) => `${batch[count].toLocaleString('en')} ${word}`)
  return (
    <Stack gap={4}>
      <Progress.Root size="md" aria-hidden>
        {parts.map(({ count, color }) => (
          <Progress.Section
            key={count}
            color={color}
            value={total === 0 ? 0 : (batch[count] / total) * 100}
            withAria={false}
          />
        ))}
      </Progress.Root>
      <Text size="xs" c="dimmed" aria-label={`Progress of ${name}`} component="div" role="group">
        {total === 0
          ? 'No documents'
          : [`${ended.toLocaleString('en')} of ${total.toLocaleString('en')} ended`, ...words].join(
              ' · ',
            )}
      </Text>
    </Stack>
  )
}
