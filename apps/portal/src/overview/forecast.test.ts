import { expect, test } from 'vitest'
import { forecast } from './forecast.ts'

const cycle = { startsAt: '2026-11-01T00:00:00.000Z', endsAt: '2026-12-01T00:00:00.000Z' }
const at = (day: string) => Date.parse(`2026-11-${day}T00:00:00.000Z`)

test('a third of the cycle tells the rest of it', () => {
  expect(forecast(cycle, 30, 100, at('11'))).toEqual({ documents: 90, exhaustedAt: null })
})

test('a quota that will not last is used up where the line crosses it', () => {
  expect(forecast(cycle, 50, 100, at('11'))).toEqual({
    documents: 150,
    exhaustedAt: new Date('2026-11-21T00:00:00.000Z'),
  })
})

test('one that is used up already has no day on which it will be', () => {
  expect(forecast(cycle, 120, 100, at('11'))).toEqual({ documents: 360, exhaustedAt: null })
})

test('the first day says nothing', () => {
  expect(forecast(cycle, 5, 100, at('02'))).toBeNull()
})
