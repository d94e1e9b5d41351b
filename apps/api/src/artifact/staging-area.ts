import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { removeIfThere } from './file-driver.ts'
import type { StagedObject } from './object-store.ts'

/** A local directory for bytes on their way into a storage. */
export interface StagingArea {
  readonly directory: string
  stage(): Promise<StagedObject>
  /** Removes what uploads left that a crash interrupted. */
  sweep(olderThan: Date): Promise<void>
}

export async function openStagingArea(directory: string): Promise<StagingArea> {
  await mkdir(directory, { recursive: true })
  return {
    directory,
    stage: () => stageFile(join(directory, randomUUID())),
    async sweep(olderThan) {
      for (const name of await readdir(directory)) {
        const path = join(directory, name)
        const facts = await stat(path).catch(() => null)
        if (facts !== null && facts.mtime < olderThan) await removeIfThere(path)
      }
    },
  }
}

async function stageFile(path: string): Promise<StagedObject> {
  const file = await open(path, 'wx', 0o600)
  let closed: Promise<void> | null = null
  const close = () => (closed ??= file.close())

  let checksum = 0

  return {
    path,
    get crc32() {
      return checksum
    },
    async write(chunk) {
      checksum = crc32(chunk, checksum)
      await file.writeFile(chunk)
    },
    async finish() {
      await file.sync()
      await close()
    },
    async discard() {
      await close()
      await removeIfThere(path)
    },
  }
}
