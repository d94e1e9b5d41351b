import { afterAll, expect, test } from 'vitest'
import { createWatchedPool } from '../trial/watched-pool.ts'
import { builtSources, readSource } from './fuzz-sources.ts'
import { mutate } from './mutations.ts'
import { seededRandom } from './random.ts'
import { type FuzzFailure, runFuzz } from './run-fuzz.ts'

const pool = createWatchedPool(2)
afterAll(() => pool.close())

test('two hundred and fifty damaged documents end as promised, and no output has anything against it', async () => {
  const failures: FuzzFailure[] = []
  const { cases, endings } = await runFuzz(pool, {
    sources: builtSources(),
    seed: 20_261_121,
    first: 0,
    goesOn: (index) => index < 250,
    folder: null,
    onFailure: async (failure) => {
      failures.push(failure)
    },
  })

  expect(failures.map(({ index, what }) => ({ index, what }))).toEqual([])
  expect(cases).toBe(250)
  // Damage that hardly ever lets a document through, or always does, would test nothing.
  expect(endings.get('normalized')).toBeGreaterThan(100)
  expect(endings.get('MALFORMED_PDF')).toBeGreaterThan(10)
}, 60_000)

test('a case is the same each time, and another for another seed', () => {
  const [source, other] = builtSources()
  if (!source || !other) throw new Error('there are no documents')
  const damaged = (seed: number): string => {
    const random = seededRandom(seed)
    return mutate(readSource(source, random), random, other.read()).file
  }

  expect(damaged(7)).toBe(damaged(7))
  expect(damaged(7)).not.toBe(damaged(8))
  expect(damaged(7)).not.toBe(source.read())
})
