import { afterAll, expect, test } from 'vitest'
import { defaultOptions } from '../src/options.ts'
import { createWatchedPool } from '../trial/watched-pool.ts'
import { builtSources, readSource } from './fuzz-sources.ts'
import { mutate } from './mutations.ts'
import { seededRandom } from './random.ts'
import { type FuzzFailure, runFuzz } from './run-fuzz.ts'
import { unfoundedSignature, validSignatures } from './unfounded-signature.ts'

const pool = createWatchedPool(2)
afterAll(() => pool.close(), 60_000)

test('two hundred and fifty damaged documents end as promised, and no output has anything against it', async () => {
  const failures: FuzzFailure[] = []
  const { cases, endings } = await runFuzz(pool, {
    sources: await builtSources(),
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
}, 180_000)

test('no signature is called valid whose bytes are not those that were signed', async () => {
  const sources = await builtSources()
  const signed = sources.filter(({ name }) => name.includes('sign'))
  for (const { read } of signed) {
    const file = new Uint8Array(Buffer.from(read(), 'latin1'))
    const ending = await pool.normalize(file, { ...defaultOptions, signedPdfPolicy: 'strip' })
    // Otherwise damage to them would prove nothing.
    expect(validSignatures(ending)).toBeGreaterThan(0)
    expect(unfoundedSignature(ending, read(), [read()])).toBe(null)
    expect(
      unfoundedSignature(ending, read().replace('sum is 100', 'sum is 900'), [read()]),
    ).not.toBe(null)
  }
  expect(signed.length).toBeGreaterThan(2)
}, 60_000)

test('a case is the same each time, and another for another seed', async () => {
  const [source, other] = await builtSources()
  if (!source || !other) throw new Error('there are no documents')
  const damaged = (seed: number): string => {
    const random = seededRandom(seed)
    return mutate(readSource(source, random), random, other.read()).file
  }

  expect(damaged(7)).toBe(damaged(7))
  expect(damaged(7)).not.toBe(damaged(8))
  expect(damaged(7)).not.toBe(source.read())
})
