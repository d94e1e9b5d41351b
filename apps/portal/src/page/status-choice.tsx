import { Group, NativeSelect, SegmentedControl, Text } from '@mantine/core'

const all = { value: '', label: 'All' }

/** Which entries of a list are shown, by their status, and how many these are. @param counted as “12 batches” */
export function StatusChoice<Status extends string>({
  looks,
  status,
  onChange,
  counted,
}: {
  looks: Readonly<Record<Status, { label: string }>>
  status: Status | undefined
  onChange: (status: Status | undefined) => void
  counted: string
}) {
  const statuses = Object.keys(looks) as Status[]
  const control = {
    'aria-label': 'Status',
    data: [all, ...statuses.map((value) => ({ value, label: looks[value].label }))],
    value: status ?? all.value,
  }
  const choose = (value: string) => onChange(statuses.find((status) => status === value))
  return (
    <Group justify="space-between">
      <SegmentedControl {...control} onChange={choose} visibleFrom="sm" />
      <NativeSelect
        {...control}
        onChange={(event) => choose(event.currentTarget.value)}
        hiddenFrom="sm"
      />
      <Text size="sm" c="dimmed" role="status">
        {counted}
      </Text>
    </Group>
  )
}
