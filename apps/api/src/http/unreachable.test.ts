import { expect, test } from 'vitest'
import { isUnreachable } from './unreachable.ts'

const fault = (facts: object, cause?: unknown) =>
  Object.assign(new Error('it failed', { cause }), facts)

test.each([
  ['a refused connection', fault({ code: 'ECONNREFUSED' })],
  ['a socket that is not there', fault({ code: 'ENOENT', syscall: 'connect' })],
  ['a database that starts', fault({ code: '57P03' })],
  ['a full disk', fault({ code: 'ENOSPC' })],
  ['a disk that fails', fault({ code: 'EIO' })],
  ['a storage that is not mounted', fault({ code: 'ENOTDIR', syscall: 'open' })],
  ['a storage server that fails', fault({ $fault: 'server' })],
  ['a wrapped one', fault({}, fault({}, fault({ code: 'EPIPE' })))],
])('%s may be well again in a while', (_what, error) => {
  expect(isUnreachable(error)).toBe(true)
})

test.each([
  ['a missing file', fault({ code: 'ENOENT', syscall: 'open' })],
  ['a violated constraint', fault({ code: '23505' })],
  ['a mistake of ours', new TypeError('x is not a function')],
  ['no error', 'ECONNREFUSED'],
])('%s stays as it is', (_what, error) => {
  expect(isUnreachable(error)).toBe(false)
})

test('a cause that leads in a circle comes to an end', () => {
  const error = fault({})
  error.cause = error
  expect(isUnreachable(error)).toBe(false)
})
