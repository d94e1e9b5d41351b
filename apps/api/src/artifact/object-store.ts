import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Region } from '@pdfnorm/contracts/schema/region'
import type { ByteRange } from './file-driver.ts'

/** Where originals and artifacts lie: one disk per region, objects under keys. */
export interface ObjectStore {
  /** Opens a local file for bytes whose region and key are not known yet. */
  stage(): Promise<StagedObject>
  /** Makes a staged, finished file the object `key`. An object of that key is replaced as a whole. */
  adopt(staged: StagedObject, region: Region, key: string): Promise<void>
  put(region: Region, key: string, bytes: Uint8Array): Promise<void>
  /** Writes an object of unknown size; when the stream fails there is no such object, or the former one. */
  putStream(region: Region, key: string, bytes: Readable): Promise<void>
  /** A URL under which anybody may download the object until it expires. */
  presign(region: Region, key: string, options: PresignedDownloadOptions): Promise<string>
  /** null when there is no such object. */
  read(region: Region, key: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** null when there is no such object; the range must lie inside of the object. */
  openStream(region: Region, key: string, range?: ByteRange): Promise<Readable | null>
  /** In bytes; null when there is no such object. */
  sizeOf(region: Region, key: string): Promise<number | null>
  delete(region: Region, key: string): Promise<void>
  /** Keys below a prefix, in no order. */
  list(region: Region, prefix?: string): Promise<string[]>
  /** Removes what uploads left that a crash interrupted. */
  sweep(olderThan: Date): Promise<void>
  /** @throws when the storage cannot be used now */
  check(): Promise<void>
}

export interface PresignedDownloadOptions {
  readonly expiresInSeconds: number
  /** What the file is called where it is saved: letters, digits, dots, hyphens and underscores. */
  readonly fileName: string
  readonly contentType: string
}

/** Bytes on their way into the storage. */
export interface StagedObject {
  readonly path: string
  /** Of what has been written; the storage can be asked to compare it. */
  readonly crc32: number
  write(chunk: Uint8Array): Promise<void>
  /** Puts all bytes on the disk and closes the file. */
  finish(): Promise<void>
  /** Removes the file, at whatever point it is; harmless after it was adopted. */
  discard(): Promise<void>
}

/** Originals belong to one organization; `schemaName` is its storage prefix (decision 3.12). */
export function originalKey(schemaName: string, submissionId: string): string {
  return `${schemaName}/originals/${submissionId}.pdf`
}

/**
 * Artifacts belong to their content: organizations with the same output share one object. The key is another one each
 * time the content is stored anew, so that a removal that comes late, say from a network, finds nothing to remove.
 */
export function newArtifactKey(sha256: string): string {
  return `artifacts/${sha256.slice(0, 2)}/${sha256}.${randomUUID()}.pdf`
}
