import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigurationError } from '../config.ts'
import { openFileObjectStore, type PresignLocally } from './file-object-store.ts'
import type { ObjectStore } from './object-store.ts'
import { readS3Location } from './s3-location.ts'

/**
 * The store that STORAGE_URL names.
 *
 * @param storageUrl `file:` URL of a directory, or `s3:` URL of buckets (s3-location.ts); absent: `objects` in the data
 *   directory
 * @param presignLocally for objects that no server of their own hands out
 * @throws ConfigurationError which says what is wrong with the URL or with a bucket
 */
export async function openObjectStore(
  { storageUrl, dataDirectory }: { storageUrl: string | undefined; dataDirectory: string },
  presignLocally: PresignLocally,
): Promise<ObjectStore> {
  if (storageUrl === undefined) {
    return openFileObjectStore(join(dataDirectory, 'objects'), presignLocally)
  }
  if (!storageUrl.startsWith('s3:')) {
    return openFileObjectStore(fileURLToPath(storageUrl), presignLocally)
  }
  // Loaded where it is used: it takes a tenth of a second and 35 MB.
  const { openS3ObjectStore } = await import('./s3-object-store.ts')
  try {
    return await openS3ObjectStore(readS3Location(storageUrl), join(dataDirectory, 'incoming'))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new ConfigurationError([{ variable: 'STORAGE_URL', message: error.message }])
  }
}
