import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeDocument } from '../../test/first-document.ts'
import { type BreakingGate, breakingGate } from './behaviour/breaking-gate.ts'
import { type LiveService, startLiveService } from './behaviour/live-service.ts'
import { freePort, runtimes } from './behaviour/runtimes.ts'
import { installPackedPackage, type PackedPackage } from './packed-package.ts'

let installed: PackedPackage
let gate: BreakingGate
let service: LiveService
let pdfBase64: string

beforeAll(async () => {
  gate = await breakingGate()
  ;[installed, service] = await Promise.all([
    installPackedPackage(),
    startLiveService(await freePort(), gate.url),
  ])
  const document = join(installed.folder, 'first.pdf')
  await writeDocument(document)
  pdfBase64 = (await readFile(document)).toString('base64')
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await gate[Symbol.asyncDispose]()
  await installed[Symbol.asyncDispose]()
})

describe.each(runtimes)('the packed client on $name', ({ name, program, behave }) => {
  test.skipIf(program === null)(
    `behaves as promised towards a live service (needs ${name})`,
    async () => {
      gate.open(service.baseUrl)
      const { baseUrl, apiKey } = service
      const scenario = { baseUrl, apiKey, brokenUrl: gate.url, pdfBase64, folder: null }
      const outcomes = await behave(program ?? '', { folder: installed.folder, scenario, gate })
      expect(outcomes.filter(({ fault }) => fault !== null)).toEqual([])
      expect(outcomes.length).toBeGreaterThan(10)
    },
    60_000,
  )
})
