import pLimit from 'p-limit'
import { expect, test } from 'vitest'
import { isLibraryFault } from './library-fault.ts'

test('what a library throws at what it cannot take is told from a fault of this program', () => {
  expect(isLibraryFault(thrownBy(() => pLimit(0)))).toBe(true)
  expect(isLibraryFault(thrownBy(() => failing()))).toBe(false)
  expect(isLibraryFault('a string')).toBe(false)
})

function failing(): void {
  throw new TypeError('of this file')
}

function thrownBy(action: () => void): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
