import { open } from 'node:fs/promises'
import { removeIfThere } from './file-driver.ts'
import type { StagedObject } from './object-store.ts'

/** Opens a file of its own for bytes on their way into a storage. */
export async function stageFile(path: string): Promise<StagedObject> {
  const file = await open(path, 'wx', 0o600)
  let closed: Promise<void> | null = null
  const close = () => (closed ??= file.close())

  return {
    path,
    async write(chunk) {
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
