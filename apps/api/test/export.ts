import { createHash } from 'node:crypto'
import { DataExport } from '@pdfnorm/contracts/schema/data-export'
import { expect } from 'vitest'
import type { TestOrganization } from './organization.ts'
import { unzip } from './zip.ts'

export async function requestExport({ fetch }: TestOrganization): Promise<DataExport> {
  const response = await fetch('/api/portal/data-export', { method: 'POST' })
  expect(response.status).toBe(202)
  return DataExport.parse(await response.json())
}

/** Asks as a client does, until the export can be downloaded. */
export async function completedExport(
  { fetch }: TestOrganization,
  exportId: string,
): Promise<DataExport> {
  const status = async () =>
    DataExport.parse(await (await fetch(`/api/portal/data-export/${exportId}/status`)).json())
  await expect
    .poll(async () => (await status()).status, { interval: 20, timeout: 20_000 })
    .toBe('completed')
  return status()
}

/** Follows the redirection without credentials; they are in its address. */
export async function downloadExport(
  { fetch }: TestOrganization,
  exportId: string,
): Promise<Buffer<ArrayBuffer>> {
  const redirection = await fetch(`/api/portal/data-export/${exportId}/download`, {
    redirect: 'manual',
  })
  expect(redirection.status).toBe(302)
  const download = await globalThis.fetch(redirection.headers.get('location') ?? '')
  expect(download.status).toBe(200)
  expect(download.headers.get('content-type')).toBe('application/zip')
  return Buffer.from(await download.arrayBuffer())
}

/** The files of an export, each with the hash that its list of hashes gives it, and no other. */
export async function filesOfExport(zip: Buffer): Promise<Map<string, Buffer>> {
  const files = await unzip(zip)
  const sums = files.get('SHA256SUMS')?.toString() ?? ''
  const listed = new Map(
    sums
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)] as const),
  )
  const hashed = [...files]
    .filter(([path]) => path !== 'SHA256SUMS')
    .map(([path, content]) => [path, createHash('sha256').update(content).digest('hex')] as const)
  expect(listed).toEqual(new Map(hashed))
  return files
}

/** The records of one kind in an export. */
export function recordsIn(files: Map<string, Buffer>, kind: string): Record<string, unknown>[] {
  return JSON.parse(files.get(`data/${kind}.json`)?.toString() ?? 'null')
}

/** An export of an organization whose server works off its queues: asked for, awaited, downloaded, opened. */
export async function exportOf(
  organization: TestOrganization,
): Promise<{ files: Map<string, Buffer>; dataExport: DataExport; zip: Buffer<ArrayBuffer> }> {
  const { exportId } = await requestExport(organization)
  const dataExport = await completedExport(organization, exportId)
  const zip = await downloadExport(organization, exportId)
  return { files: await filesOfExport(zip), dataExport, zip }
}
