import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { retryDelayMs } from './retry-delay.ts'

const config = readConfig({})

test('a delay strays from its schedule by a fifth at most, and five of them follow the first send', () => {
  const scheduled = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600].map((seconds) => seconds * 1000)
  const delays = (random: number) =>
    scheduled.map((_, sends) => retryDelayMs(config, sends, null, () => random))
  expect(delays(0)).toEqual(scheduled.map((delayMs) => delayMs * 0.8))
  expect(delays(0.5)).toEqual(scheduled)
  expect(delays(1)).toEqual(scheduled.map((delayMs) => delayMs * 1.2))
  expect(retryDelayMs(config, scheduled.length, null)).toBeNull()
})

test('what a receiver asks for lengthens a delay and never shortens it', () => {
  const middle = () => 0.5
  expect(retryDelayMs(config, 0, 3600, middle)).toBe(3_600_000)
  expect(retryDelayMs(config, 4, 1, middle)).toBe(5 * 3_600_000)
  expect(retryDelayMs(config, 5, 3600, middle)).toBeNull()
})
