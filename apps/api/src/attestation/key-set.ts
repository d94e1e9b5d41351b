import type { MikroORM } from '@mikro-orm/postgresql'
import type { KeySet } from '@pdfnorm/contracts/schema/key-set'
import { withoutOrganization } from '../database/transaction.ts'
import { publicKeyObject, type PublicSigningKey, SigningKeyEntity } from './signing-key.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Every public key, newest first (RFC 7517): the one that signs, those that did, and one that will. */
export async function findKeySet({ orm }: { orm: MikroORM }): Promise<KeySet> {
  const rows = await withoutOrganization(orm, (em) =>
    em.find(SigningKeyEntity, {}, { orderBy: { signsFrom: 'desc', kid: 'asc' } }),
  )
  return { keys: rows.map(publicJwk) }
}

/** The public key that signs now, in PEM form (SubjectPublicKeyInfo, RFC 7468, 13). */
export async function findPublicKeyPem(platform: {
  orm: MikroORM
  signingKeys: SigningKeys
}): Promise<string> {
  const key = await withoutOrganization(platform.orm, (em) => platform.signingKeys.current(em))
  return publicKeyObject(key).export({ format: 'pem', type: 'spki' }).toString()
}

function publicJwk({ kid, x, y }: PublicSigningKey): KeySet['keys'][number] {
  return { kty: 'EC', use: 'sig', alg: 'ES256', kid, crv: 'P-256', x, y }
}
