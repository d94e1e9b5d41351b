import { expect, test } from 'vitest'
import { readWaitPreference } from './prefer-header.ts'

test('respond-async and wait are read in any spelling that RFC 7240 allows', () => {
  expect(readWaitPreference('respond-async')).toEqual({ respondAsync: true, waitMs: null })
  expect(readWaitPreference('Respond-Async, WAIT = "3"')).toEqual({
    respondAsync: true,
    waitMs: 3000,
  })
  expect(readWaitPreference('foo; bar=1, wait=7')).toEqual({ respondAsync: false, waitMs: 7000 })
})

test('of two preferences with one name the first counts', () => {
  expect(readWaitPreference('wait=2, wait=9').waitMs).toBe(2000)
})

test('a malformed or unknown preference is as if it were not there', () => {
  const none = { respondAsync: false, waitMs: null }

  expect(readWaitPreference(undefined)).toEqual(none)
  expect(readWaitPreference('wait=soon')).toEqual(none)
  expect(readWaitPreference('wait=-1')).toEqual(none)
  expect(readWaitPreference('wait=1e9')).toEqual(none)
  expect(readWaitPreference(',,=;')).toEqual(none)
})
