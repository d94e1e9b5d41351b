import { Text } from '@mantine/core'
import { useNow } from './use-now.ts'

/** How long until a moment; nobody is told of every second that reads with the ears. */
export function Countdown({ until }: { until: string }) {
  const now = useNow()
  return (
    <Text
      span
      role="timer"
      fw={650}
      size="xl"
      inherit={false}
      style={{ fontVariantNumeric: 'tabular-nums' }}
    >
      {timeLeft(Date.parse(until) - now)}
    </Text>
  )
}

/** Hours, minutes and seconds, and days where there are any. */
function timeLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  const days = Math.floor(seconds / 86_400)
  const clock = [
    Math.floor((seconds % 86_400) / 3600),
    Math.floor((seconds % 3600) / 60),
    seconds % 60,
  ]
  const time = clock.map((part) => String(part).padStart(2, '0')).join(':')
  return days === 0 ? time : `${days} ${days === 1 ? 'day' : 'days'} ${time}`
}
