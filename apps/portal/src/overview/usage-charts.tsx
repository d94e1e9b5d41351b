import { Group, Paper, SimpleGrid, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import type { SubmissionCounts } from '@pdfnorm/contracts/schema/statistics'
import { historyDays, type UsageHistory } from '@pdfnorm/contracts/schema/usage-history'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'

const dayMs = 24 * 60 * 60 * 1000

const outcomes = [
  { key: 'success', label: 'Success', color: 'var(--mantine-color-green-7)' },
  { key: 'rejected', label: 'Rejected', color: 'var(--mantine-color-orange-6)' },
  { key: 'failed', label: 'Failed', color: 'var(--mantine-color-red-7)' },
] as const

interface Column extends SubmissionCounts {
  /** Tells the columns apart. */
  at: string
  /** Below the column, where there is room. */
  tick: string
  /** As it is told of. */
  name: string
}

/** What was submitted on the last days and in the last months, by how it ended. */
// oxlint-disable-next-line import/no-default-export -- React loads lazily what is exported by default
export default function UsageCharts({ history, now }: { history: UsageHistory; now: number }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <UsageChart title={`The last ${historyDays} days`} columns={daysOf(history, now)} />
      <UsageChart
        title="The last months"
        columns={history.cycles.map((cycle) => ({
          ...cycle,
          at: cycle.startsAt,
          tick: month.format(new Date(cycle.startsAt)),
          name: `The month from ${fullDay.format(new Date(cycle.startsAt))}`,
        }))}
      />
    </SimpleGrid>
  )
}

function UsageChart({ title, columns }: { title: string; columns: readonly Column[] }) {
  const counts = roundCountsUpTo(Math.max(...columns.map(({ total }) => total)))
  const byTime = new Map(columns.map((column) => [column.at, column]))
  return (
    <Paper withBorder p="md" component="figure" m={0} style={{ minWidth: 0 }}>
      <Group justify="space-between" mb="sm" component="figcaption">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Group gap="sm" aria-hidden>
          {outcomes.map(({ key, label, color }) => (
            <Group key={key} gap={4}>
              <span style={{ width: 10, height: 10, borderRadius: 2, background: color }} />
              <Text size="xs">{label}</Text>
            </Group>
          ))}
        </Group>
      </Group>
      <div aria-hidden>
        <ResponsiveContainer width="100%" height={220}>
          <BarChart
            data={[...columns]}
            accessibilityLayer={false}
            margin={{ top: 8, right: 4, left: 0, bottom: 0 }}
          >
            <CartesianGrid vertical={false} stroke="var(--mantine-color-default-border)" />
            <XAxis
              dataKey="at"
              tickFormatter={(at: string) => byTime.get(at)?.tick ?? ''}
              tickLine={false}
              axisLine={false}
              minTickGap={16}
              {...ticks}
            />
            <YAxis
              width="auto"
              ticks={counts}
              domain={[0, counts.at(-1) ?? 0]}
              interval={0}
              tickFormatter={(count: number) => count.toLocaleString('en')}
              tickLine={false}
              axisLine={false}
              {...ticks}
            />
            <Tooltip
              labelFormatter={(at) => typeof at === 'string' && byTime.get(at)?.name}
              cursor={{ fill: 'var(--mantine-color-default-hover)' }}
              contentStyle={{
                background: 'var(--mantine-color-body)',
                border: '1px solid var(--mantine-color-default-border)',
                borderRadius: 8,
              }}
            />
            {outcomes.map(({ key, label, color }) => (
              <Bar
                key={key}
                dataKey={key}
                name={label}
                stackId="outcome"
                fill={color}
                maxBarSize={56}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <VisuallyHidden>
        <FiguresOf title={title} columns={columns.filter(({ total }) => total > 0)} />
      </VisuallyHidden>
    </Paper>
  )
}

/** The same for whoever does not see the chart. */
function FiguresOf({ title, columns }: { title: string; columns: readonly Column[] }) {
  return (
    <Table>
      <Table.Caption>{title}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>When</Table.Th>
          {outcomes.map(({ key, label }) => (
            <Table.Th key={key}>{label}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {columns.map((column) => (
          <Table.Tr key={column.at}>
            <Table.Th scope="row">{column.name}</Table.Th>
            {outcomes.map(({ key }) => (
              <Table.Td key={key}>{column[key]}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** From 0 to what is not below the highest, in at most five steps of 1, 2 or 5 times a power of ten. */
function roundCountsUpTo(highest: number): number[] {
  const least = Math.max(1, highest / 5)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5].map((digit) => digit * power).find((step) => step >= least) ?? 10 * power
  return Array.from({ length: Math.ceil(Math.max(1, highest) / step) + 1 }, (_, at) => at * step)
}

const ticks = { tick: { fill: 'var(--mantine-color-dimmed)', fontSize: 12 } }

/** Every day, also those without a submission, by their dates in UTC. */
function daysOf({ days }: UsageHistory, now: number): Column[] {
  const counts = new Map(days.map((day) => [day.day, day]))
  return Array.from({ length: historyDays }, (_, index) => {
    const date = new Date(now - (historyDays - 1 - index) * dayMs)
    const counted = counts.get(date.toISOString().slice(0, 10))
    const names = { at: date.toISOString(), tick: day.format(date), name: fullDay.format(date) }
    return { total: 0, success: 0, failed: 0, rejected: 0, ...counted, ...names }
  })
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const fullDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' })
