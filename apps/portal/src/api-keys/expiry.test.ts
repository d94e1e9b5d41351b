import { expect, test } from 'vitest'
import { expiresAtOf } from './expiry.ts'

const now = new Date(2026, 10, 21, 22, 30)

test('a key expires never, after a number of days, or at the end of a day where its maker is', () => {
  expect(expiresAtOf('never', '2027-01-31', now)).toBeNull()
  expect(expiresAtOf('30', '', now)).toBe(new Date(2026, 11, 21, 22, 30).toISOString())
  expect(expiresAtOf('365', '', now)).toBe(new Date(2027, 10, 21, 22, 30).toISOString())
  expect(expiresAtOf('day', '2027-02-28', now)).toBe(
    new Date(2027, 1, 28, 23, 59, 59).toISOString(),
  )
})

test('a day that is none is no expiry, which the form does not take', () => {
  for (const day of ['', '2027', 'soon', '2027-01-xx', '99999999-01-01']) {
    expect(expiresAtOf('day', day, now)).toBeNull()
  }
})
