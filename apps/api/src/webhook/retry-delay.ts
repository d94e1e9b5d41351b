import type { Config } from '../config.ts'

/** How far a delay strays from its schedule, so that what failed together does not come again together. */
const jitter = 0.2

/**
 * How long after a failed send the next one follows, in milliseconds (decision 4.5).
 *
 * @param sends made before the failed one, in this sequence
 * @param waitSeconds what the receiver asked for, which is bounded where it is read; null: nothing
 * @returns null when the schedule is used up
 */
export function retryDelayMs(
  { webhookRetryScheduleMs }: Pick<Config, 'webhookRetryScheduleMs'>,
  sends: number,
  waitSeconds: number | null,
  random: () => number = Math.random,
): number | null {
  const scheduledMs = webhookRetryScheduleMs[sends]
  if (scheduledMs === undefined) return null
  const delayMs = scheduledMs * (1 - jitter + 2 * jitter * random())
  return Math.round(Math.max(delayMs, (waitSeconds ?? 0) * 1000))
}
