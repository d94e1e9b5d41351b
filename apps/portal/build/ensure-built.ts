import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildPortal, builtPortal, stampFile } from './build-portal.ts'
import { sourceStamp } from './source-stamp.ts'

/** Builds the portal if there is none, or if its sources have changed since. */
export async function ensureBuilt(say: (text: string) => void = () => undefined): Promise<void> {
  const stamp = await sourceStamp()
  const builtFrom = await readFile(join(builtPortal, stampFile), 'utf8').catch(() => null)
  if (builtFrom === stamp) return
  say(builtFrom === null ? 'Building the portal …' : 'The portal has changed: building it …')
  await buildPortal(stamp)
}
