import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { normalize } from '../src/normalize.ts'
import { defaultOptions } from '../src/options.ts'
import {
  createNormalizerPool,
  type NormalizerPool,
  type NormalizerPoolOptions,
} from '../src/worker/normalizer-pool.ts'
import { buildPdf, onePage } from './fixture/build-pdf.ts'

// Each test starts workers of its own, and most a second one in place of the first.
vi.setConfig({ testTimeout: 60_000 })

let pool: NormalizerPool | undefined
afterEach(() => pool?.close())

test('a document has the same outcome in a worker as in the calling thread', async () => {
  const bytes = owned(buildPdf())
  const here = await normalize(bytes)

  const there = await open({ workers: 1 }).normalize(bytes.slice(), defaultOptions)

  expect(there.kind).toBe('normalized')
  expect({ ...there, processingTimeMs: 0, stages: [] }).toEqual({
    ...here,
    processingTimeMs: 0,
    stages: [],
  })
})

const tooMuchMemory = {
  code: 'RESOURCE_LIMIT_EXCEEDED',
  message: 'The document needs more memory than allowed.',
}

const tooMuchTime = {
  code: 'RESOURCE_LIMIT_EXCEEDED',
  message: 'The document took more than 600 ms.',
}

test.each([
  ['loops', tooMuchTime],
  ['stops', tooMuchTime],
  ['fills the heap', tooMuchMemory],
  ['asks for too large an object', tooMuchMemory],
  ['takes buffers', tooMuchMemory],
  ['exits', { code: 'INTERNAL_ERROR' }],
  ['aborts', { code: 'INTERNAL_ERROR' }],
  ['throws', { code: 'INTERNAL_ERROR' }],
])(
  'a document whose worker %s has failed where it was; the one beside it and the next are normalized',
  async (word, failure) => {
    const pool = open({
      workers: 2,
      limits: {
        baseProcessorMs: failure === tooMuchTime ? 600 : 60_000,
        baseMemoryMebibytes: 300,
      },
      workerModule: new URL('./fixture/breaking-worker.ts', import.meta.url),
    })
    const [broken, ...others] = await Promise.all([
      pool.normalize(owned(Buffer.from(word)), defaultOptions),
      pool.normalize(owned(buildPdf()), defaultOptions),
      pool.normalize(owned(buildPdf()), defaultOptions),
      pool.normalize(owned(buildPdf()), defaultOptions),
    ])

    expect(broken).toMatchObject({
      kind: 'failed',
      original: { sizeBytes: word.length },
      failure: { ...failure, stage: 'ActiveContentRemoval' },
    })
    expect(broken.stages.map(({ result }) => result)).toEqual([
      ...Array.from({ length: 4 }, () => 'skipped'),
      'failed',
      ...Array.from({ length: 5 }, () => 'skipped'),
    ])
    expect(others.map(({ kind }) => kind)).toEqual(['normalized', 'normalized', 'normalized'])
  },
)

test('a document whose worker ends before it begins goes to another one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-pool-'))
  const document = owned(Buffer.from(`ends a worker before it begins: ${join(folder, 'was-here')}`))

  const outcome = await open({
    workers: 1,
    workerModule: new URL('./fixture/breaking-worker.ts', import.meta.url),
  }).normalize(document, defaultOptions)

  expect(readdirSync(folder)).toEqual(['was-here'])
  expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'MALFORMED_PDF' } })
  rmSync(folder, { recursive: true })
})

test('a worker that cannot start says why to all who wait for it', async () => {
  const pool = open({ workers: 2, workerModule: new URL('./no-such-worker.ts', import.meta.url) })
  const documents = [1, 2, 3].map(() => pool.normalize(owned(buildPdf()), defaultOptions))

  for (const document of documents) await expect(document).rejects.toThrow('Cannot find module')
})

test('a pool that is closed ends the documents that it has', async () => {
  const pool = open({
    workers: 1,
    workerModule: new URL('./fixture/breaking-worker.ts', import.meta.url),
  })
  // The first tells that the worker is there; without it there would be no document to end.
  await pool.normalize(owned(buildPdf()), defaultOptions)
  const documents = ['loops', 'waits'].map((word) =>
    pool.normalize(owned(Buffer.from(word)), defaultOptions),
  )
  const ended = Promise.allSettled(documents)

  await pool.close()
  expect(await ended).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
})

test('while a worker has a document the pool tells in which stage, and of no other document', async () => {
  const pool = open({
    workers: 1,
    limits: { baseProcessorMs: 600 },
    workerModule: new URL('./fixture/breaking-worker.ts', import.meta.url),
  })
  // The hash that the breaking worker gives its document.
  const hash = '0'.repeat(64)
  const document = pool.normalize(owned(Buffer.from('stops')), defaultOptions)

  await expect.poll(() => pool.stageOf(hash), { interval: 5, timeout: 30_000 }).toBe(4)
  expect(pool.stageOf('1'.repeat(64))).toBeNull()
  await document
  expect(pool.stageOf(hash)).toBeNull()
})

test('the bytes of a document are handed over, in a view of its own buffer or of a larger one', async () => {
  const pool = open({ workers: 1 })
  const whole = owned(buildPdf())
  const larger = new Uint8Array(whole.length + 20)
  larger.set(whole, 7)
  const part = larger.subarray(7, 7 + whole.length)

  const [one, other] = await Promise.all([
    pool.normalize(part, defaultOptions),
    pool.normalize(whole, defaultOptions),
  ])

  expect(one.kind).toBe('normalized')
  expect(other.original).toEqual(one.original)
  expect(whole.length).toBe(0)
})

test('more documents than workers are all normalized', async () => {
  const pool = open({ workers: 2 })
  const texts = Array.from({ length: 12 }, (_, index) => `Document ${index}`)

  const outcomes = await Promise.all(
    texts.map((text) =>
      pool.normalize(owned(buildPdf({ objects: onePage(text) })), defaultOptions),
    ),
  )

  expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(['normalized']))
})

function open(options: NormalizerPoolOptions): NormalizerPool {
  pool = createNormalizerPool(options)
  return pool
}

function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
