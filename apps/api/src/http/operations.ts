import { readFile } from 'node:fs/promises'
import { operations } from '@pdfnorm/contracts/endpoint/operations'
import type { Express } from 'express'
import type { Platform } from '../platform.ts'
import { mountProbes } from './probes.ts'

/** The generated document lies at its place in the repository. */
export const openapiPath = new URL('../../../../docs/openapi.json', import.meta.url)

/** What operators and tools ask the process (contracts/src/endpoint/operations.ts). */
export function mountOperations(app: Express, platform: Platform): void {
  mountProbes(app, platform)
  app.get(operations.getOpenapi.path, async (_req, res) => {
    res.setHeader('Content-Type', 'application/json')
    res.setHeader('Cache-Control', 'public, max-age=300')
    res.send(await readFile(openapiPath, 'utf8'))
  })
}
