import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/**
 * A secret as it lies in the database: initialization vector (12 bytes), tag (16 bytes), then the secret under
 * AES-256-GCM.
 *
 * @param sealingKey 32 bytes, derived for this kind of secret (secrets-key.ts)
 * @param owner whose it is; authenticated with it, so that rows cannot be exchanged
 */
export function seal(secret: Uint8Array, sealingKey: Uint8Array, owner: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/**
 * The inverse of `seal`.
 *
 * @throws when the key or the owner is another one, or the bytes are not whole
 */
export function unseal(sealed: Uint8Array, sealingKey: Uint8Array, owner: string): Buffer {
  const iv = sealed.subarray(0, ivBytes)
  const tag = sealed.subarray(ivBytes, ivBytes + tagBytes)
  try {
    const decipher = createDecipheriv('aes-256-gcm', sealingKey, iv)
      .setAAD(Buffer.from(owner))
      .setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
  } catch (cause) {
    const message = 'A stored secret does not open: SECRETS_KEY is not the one it was sealed with'
    throw new Error(message, { cause })
  }
}
