import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findProcess } from './operating-system-process.ts'

/**
 * Takes the data directory for this process, so that two never run one database.
 *
 * @throws Error if a running process has it
 */
export async function takeDataDirectory(dataDirectory: string): Promise<void> {
  const path = ownerFile(dataDirectory)
  const [pid = '', startedAt] = (await readFile(path, 'utf8').catch(() => '')).trim().split(' ')
  const owner = await findProcess(Number(pid))
  if (owner !== null && Number(pid) !== process.pid && owner.startedAt === startedAt) {
    throw new Error(
      `The process ${pid} already runs a database in ${dataDirectory}. ` +
        'Stop it, choose another DATA_DIR, or set DATABASE_URL.',
    )
  }
  const self = await findProcess(process.pid)
  await writeFile(path, `${process.pid} ${self?.startedAt ?? ''}\n`)
}

export async function releaseDataDirectory(dataDirectory: string): Promise<void> {
  await rm(ownerFile(dataDirectory), { force: true })
}

function ownerFile(dataDirectory: string): string {
  return join(dataDirectory, 'postgresql.owner')
}
