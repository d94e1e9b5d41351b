import { createHmac, timingSafeEqual } from 'node:crypto'
import { Region } from '@pdfnorm/contracts/schema/region'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { SecretsKey } from '../secrets-key.ts'
import type { PresignLocally } from './file-object-store.ts'

/** One object that whoever has the token may read, without other credentials. */
const PresignedDownload = z.object({
  region: Region,
  key: z.string(),
  fileName: z.string(),
  contentType: z.string(),
  /** Seconds since 1970-01-01 UTC. */
  expiresAt: z.int(),
})
export type PresignedDownload = z.infer<typeof PresignedDownload>

/** Where the service itself answers presigned downloads, for objects in local files. */
export const presignedDownloadPath = '/api/downloads/:token'

/** Makes URLs of the service's own: for objects in local files, which no server of theirs hands out. */
export function localDownloads(
  { baseUrl }: Pick<Config, 'baseUrl'>,
  clock: Clock,
  secretsKey: SecretsKey,
): PresignLocally {
  return ({ expiresInSeconds, ...download }) => {
    const expiresAt = Math.ceil(clock.now().getTime() / 1000) + expiresInSeconds
    const token = issueToken(secretsKey, { ...download, expiresAt })
    return baseUrl + presignedDownloadPath.replace(':token', token)
  }
}

/** null when the token is not one of ours, or its time is over: nobody is told which. */
export function openDownloadToken(
  secretsKey: SecretsKey,
  token: string,
  now: Date,
): PresignedDownload | null {
  const [payload = '', tag = '', ...more] = token.split('.')
  const expected = tagOf(secretsKey, payload)
  const given = Buffer.from(tag, 'base64url')
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  if (!isOurs || more.length > 0) return null

  const download = PresignedDownload.parse(
    JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')),
  )
  return now.getTime() < download.expiresAt * 1000 ? download : null
}

/** The download as text for a URL, authenticated with HMAC-SHA-256: `<payload>.<tag>`, both base64url. */
function issueToken(secretsKey: SecretsKey, download: PresignedDownload): string {
  const payload = Buffer.from(JSON.stringify(download)).toString('base64url')
  return `${payload}.${tagOf(secretsKey, payload).toString('base64url')}`
}

function tagOf(secretsKey: SecretsKey, payload: string): Buffer {
  return createHmac('sha256', secretsKey.derive('presigned downloads', 32)).update(payload).digest()
}
