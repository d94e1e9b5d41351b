import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  apiKeyChecksumCharacters,
  apiKeyPrefix,
  apiKeySecretCharacters,
  apiKeyShownCharacters,
  ApiKeySecret,
} from '@pdfnorm/contracts/schema/api-key'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new key (decision 3.4), what of it may be shown, and what of it is stored. */
export function newApiKey(): { fullKey: string; keyPrefix: string; keyHash: string } {
  const characters = Array.from({ length: apiKeySecretCharacters }, () =>
    base62.charAt(randomInt(base62.length)),
  )
  const secret = characters.join('')
  const fullKey = `${apiKeyPrefix}_${secret}${checksum(secret)}`
  return {
    fullKey,
    keyPrefix: fullKey.slice(0, apiKeyPrefix.length + 1 + apiKeyShownCharacters),
    keyHash: hashApiKey(fullKey),
  }
}

/** Whether a text can be a key at all: a mistyped one is told without looking anywhere. */
export function isWellFormed(key: string): boolean {
  if (!ApiKeySecret.safeParse(key).success) return false
  const secret = key.slice(apiKeyPrefix.length + 1, -apiKeyChecksumCharacters)
  return key.endsWith(checksum(secret))
}

/** SHA-256 as hex: enough for a secret with 178 random bits. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** CRC-32 in base62, left-padded. */
function checksum(secret: string): string {
  let rest = crc32(secret)
  let digits = ''
  for (let place = 0; place < apiKeyChecksumCharacters; place += 1) {
    digits = base62.charAt(rest % base62.length) + digits
    rest = Math.floor(rest / base62.length)
  }
  return digits
}
