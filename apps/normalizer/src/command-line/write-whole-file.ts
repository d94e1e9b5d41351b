import { unlinkSync } from 'node:fs'
import { realpath, rename, stat, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes a file so that at its name there is all of it or what was there before, also when the process is interrupted.
 *
 * @throws when it cannot be written
 */
export async function writeWholeFile(file: string, bytes: Uint8Array): Promise<void> {
  const existing = await stat(file).catch(() => null)
  // Pipes and devices are written to; a name beside them would replace them.
  if (existing && !existing.isFile()) return writeFile(file, bytes)

  const target = existing ? await realpath(file) : file
  const partial = path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}.part`)
  unfinished.add(partial)
  try {
    await writeFile(partial, bytes, { flag: 'w', mode: existing?.mode ?? 0o666 })
    await rename(partial, target)
  } catch (error) {
    await unlink(partial).catch(() => {})
    throw error
  } finally {
    unfinished.delete(partial)
  }
}

const unfinished = new Set<string>()

/** When the user or the system ends the command, what it had not finished goes; then it ends as it would have. */
export function removeUnfinishedWhenInterrupted(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const partial of unfinished) removeNow(partial)
      process.kill(process.pid, signal)
    })
  }
}

function removeNow(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // It was not begun, or has its name already.
  }
}
