import { nodeModules } from '../runtime.ts'

/**
 * Writes a file that is there as a whole or not at all: beside its place under another name, which is renamed when
 * all has been written, and taken away when something fails.
 */
export async function saveFile(
  path: string | URL,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const modules = nodeModules()
  const fs = modules?.getBuiltinModule('node:fs')?.promises
  const url = modules?.getBuiltinModule('node:url')
  if (fs === undefined || url === undefined) throw new TypeError('There are no files here')
  const target = path instanceof URL ? url.fileURLToPath(path) : path
  const beside = `${target}.${crypto.randomUUID()}.part`
  const file = await fs.open(beside, 'wx')
  try {
    try {
      for await (const chunk of chunks) await file.writeFile(chunk)
    } finally {
      await file.close()
    }
    await fs.rename(beside, target)
  } catch (error) {
    await fs.rm(beside, { force: true })
    throw error
  }
}
