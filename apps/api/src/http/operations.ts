import { readFile } from 'node:fs/promises'
import { operations } from '@pdfnorm/contracts/endpoint/operations'
import { problemCodes, problemPath } from '@pdfnorm/contracts/schema/problem'
import type { Express } from 'express'
import type { Platform } from '../platform.ts'
import { mountProbes } from './probes.ts'
import { pagePolicy, problemPage, referencePage } from './reference-page.ts'

/** The generated document lies at its place in the repository. */
const openapiPath = new URL('../../../../docs/openapi.json', import.meta.url)

export const errorPagePaths = problemCodes.map(problemPath)

/** What operators and tools ask the process (contracts/src/endpoint/operations.ts). */
export function mountOperations(app: Express, platform: Platform): void {
  mountProbes(app, platform)
  app.get(operations.getOpenapi.path, async (_req, res) => {
    res.setHeader('Content-Type', 'application/json')
    res.setHeader('Cache-Control', 'public, max-age=300')
    res.send(await readFile(openapiPath, 'utf8'))
  })
  app.get(operations.getDocs.path, async (_req, res) => {
    res.setHeader('Content-Type', 'text/html; charset=utf-8')
    res.setHeader('Content-Security-Policy', pagePolicy)
    res.send(referencePage(JSON.parse(await readFile(openapiPath, 'utf8'))))
  })
}

/** The pages that the `type` of each problem document leads to. */
export function mountErrorPages(app: Express): void {
  for (const code of problemCodes) {
    app.get(problemPath(code), (_req, res) => {
      res.setHeader('Content-Type', 'text/html; charset=utf-8')
      res.setHeader('Content-Security-Policy', pagePolicy)
      res.send(problemPage(code))
    })
  }
}
