import { expect, test } from 'vitest'
import { retryAfterSeconds } from './retry-after.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const dayInSeconds = 86_400

test.each([
  ['120', 120],
  ['0', 0],
  ['007', 7],
  ['Sat, 21 Nov 2026 12:00:30 GMT', 30],
  ['Saturday, 21-Nov-26 12:00:30 GMT', 30],
  ['Fri, 20 Nov 2026 12:00:00 GMT', 0],
])('%j is %d seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds)
})

test.each(['999999999', '9'.repeat(400), 'Sat, 21 Nov 2099 12:00:00 GMT'])(
  '%j is no more than a day',
  (header) => {
    expect(retryAfterSeconds(header, now)).toBe(dayInSeconds)
  },
)

test.each([undefined, '', '-1', '1.5', '1e3', '2026-11-21', 'Sat, 99 Nov', 'soon'])(
  '%j asks for nothing',
  (header) => {
    expect(retryAfterSeconds(header, now)).toBeNull()
  },
)
