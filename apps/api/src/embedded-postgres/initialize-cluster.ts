import { execFile } from 'node:child_process'
import { chown, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ownedDirectory } from './server-directories.ts'
import { clusterPath, type Server, serverEnvironment } from './server-process.ts'

/**
 * Makes the database cluster if there is none. It is made beside its place and renamed when it is
 * complete, so a start that is cut short leaves nothing that looks like a database.
 */
export async function initializeCluster(server: Server, password: string): Promise<void> {
  if (await exists(join(server.cluster, 'PG_VERSION'))) return

  const draft = `${server.cluster}.new`
  await rm(draft, { recursive: true, force: true })
  await ownedDirectory(draft, server.user)

  const passwordFile = join(server.sockets, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  try {
    if (server.user) await chown(passwordFile, server.user.uid, server.user.gid)
    await promisify(execFile)(
      join(server.binaries, 'bin', 'initdb'),
      [
        `--pgdata=${clusterPath(draft)}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        // Whoever does without flushes later does without them here.
        ...(server.settings['fsync'] === 'off' ? ['--no-sync'] : []),
      ],
      { ...server.user, cwd: draft, env: serverEnvironment },
    )
  } finally {
    await rm(passwordFile, { force: true })
  }
  await rename(draft, server.cluster)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
