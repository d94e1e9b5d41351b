import { mkdir, readdir, rename, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasS3Server, s3Credentials, startS3Server, whyNoS3Server } from '../test/s3-server.ts'

export const storageKinds = ['file', 's3'] as const
export type StorageKind = (typeof storageKinds)[number]

/** The storage of the service, behind its back. */
export interface Storage {
  /** What tells the service of it: STORAGE_URL, and credentials in the environment. */
  storageUrl: string | undefined
  dataDirectory: string
  credentials: Readonly<Record<string, string>>
  /** Where uploads lie that have not become objects. */
  stagingDirectory: string
  /** From now on every access fails. */
  fail(): Promise<void>
  heal(): Promise<void>
  end(): Promise<void>
}

/**
 * Makes a storage for a service that was not started yet.
 *
 * @param dataDirectory the service's DATA_DIR
 */
export function openStorage(kind: StorageKind, dataDirectory: string): Promise<Storage> {
  return kind === 's3' ? openBuckets(dataDirectory) : openDirectory(dataDirectory)
}

/** Names of uploads that have not become objects. */
export function stagedUploads({ stagingDirectory }: Storage): Promise<string[]> {
  return readdir(stagingDirectory)
}

/** Makes them as old as if the process that they belonged to had died a day ago. */
export async function ageStagedUploads(storage: Storage): Promise<void> {
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000)
  for (const name of await stagedUploads(storage)) {
    await utimes(join(storage.stagingDirectory, name), yesterday, yesterday)
  }
}

/** Local files, behind a link that can lead elsewhere from one moment to the next: to what is no directory. */
async function openDirectory(dataDirectory: string): Promise<Storage> {
  const link = join(dataDirectory, 'objects')
  const leadTo = async (target: string) => {
    await symlink(target, `${link}.new`)
    await rename(`${link}.new`, link)
  }
  await mkdir(join(dataDirectory, 'disk'))
  await writeFile(join(dataDirectory, 'broken'), '')
  await leadTo('disk')
  return {
    storageUrl: undefined,
    dataDirectory,
    credentials: {},
    stagingDirectory: join(link, '.incoming'),
    fail: () => leadTo('broken'),
    heal: () => leadTo('disk'),
    end: async () => undefined,
  }
}

/** A server of the S3 protocol, which is killed and started again. */
async function openBuckets(dataDirectory: string): Promise<Storage> {
  if (!hasS3Server) throw new Error(`--storage s3: ${whyNoS3Server}`)
  const server = await startS3Server()
  return {
    storageUrl: server.storageUrl,
    dataDirectory,
    credentials: s3Credentials,
    stagingDirectory: join(dataDirectory, 'incoming'),
    fail: () => server.stop(),
    heal: () => server.start(),
    async end() {
      await server[Symbol.asyncDispose]()
    },
  }
}
