import { readdir, readFile } from 'node:fs/promises'
import type { Database } from '../database.ts'
import { markVariable, type TorturedService } from '../service.ts'
import { awaitedJobs } from '../settle.ts'
import { ageStagedUploads, stagedUploads } from '../storage.ts'

/** Jobs that nobody carries to an end any more. */
export async function jobLosses(database: Database): Promise<string[]> {
  const jobs = await database.query<{ name: string; state: string; count: number }>(
    `select name, state::text, count(*)::int as count from pgboss.job
     where state in ('failed', 'cancelled') or (${awaitedJobs}) group by name, state`,
  )
  return jobs.map(({ name, state, count }) => `${count} jobs of ${name} are ${state}`)
}

/**
 * Uploads that died with their process lie in the staging area until they are old; the next process that starts then
 * takes them away.
 *
 * @returns how many there were
 */
export async function sweepStaged(
  service: TorturedService,
): Promise<{ losses: string[]; staged: number }> {
  const { storage, apis } = service
  const staged = await stagedUploads(storage)
  await ageStagedUploads(storage)
  await apis[0]?.restart('SIGTERM', 0)
  const left = await stagedUploads(storage)
  return {
    staged: staged.length,
    losses: left.map((name) => `the staged file ${name} stays for ever`),
  }
}

/** Processes of the service that are there although all of it was ended; where there is no /proc, nothing is found. */
export async function processLosses(mark: string): Promise<string[]> {
  const numbers = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    numbers.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
      return environment.includes(`${markVariable}=${mark}\0`) ? [pid] : []
    }),
  )
  return found.flat().map((pid) => `the process ${pid} outlived the service`)
}
