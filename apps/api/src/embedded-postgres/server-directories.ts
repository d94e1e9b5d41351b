import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerUser } from './server-binaries.ts'

/** Longest path of a Unix socket in bytes without the closing zero: macOS has 104, Linux 108. */
const socketPathMaxBytes = 103

/**
 * Where the server's socket lies: one directory per data directory, the same at every start, with a
 * short path whatever the data directory's is, and open to the server's user even if that is not.
 */
export function socketDirectory(dataDirectory: string): string {
  const name = `pdfnorm-${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)}`
  const path = join(tmpdir(), name)
  const fits = Buffer.byteLength(join(path, '.s.PGSQL.5432')) <= socketPathMaxBytes
  return fits ? path : join('/tmp', name)
}

/**
 * Makes a directory that only the server's user may enter, or checks the one that is there.
 *
 * @throws Error if it is somebody else's: they could read or replace what the server keeps in it
 */
export async function ownedDirectory(path: string, user: ServerUser | null): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const status = await lstat(path)
  const ourUid = process.getuid?.() ?? status.uid
  if (!status.isDirectory() || ![ourUid, user?.uid].includes(status.uid)) {
    throw new Error(`${path} is not a directory of ours`)
  }
  if (user !== null && status.uid !== user.uid) await chown(path, user.uid, user.gid)
  await chmod(path, 0o700)
  return path
}
