import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { withoutOrganization } from '../database/transaction.ts'
import type { SecretsKey } from '../secrets-key.ts'
import {
  generateSigningKey,
  type SigningKey,
  SigningKeyEntity,
  type SigningKeyRow,
  sealPrivateKey,
  signingKeyFromPem,
  unsealPrivateKey,
} from './signing-key.ts'

/** The key that signs now. */
export interface SigningKeys {
  /** Asks the database each time: after a rotation every process signs with the new key. */
  current(em: EntityManager): Promise<SigningKey>
}

interface KeySources {
  readonly orm: MikroORM
  readonly clock: Clock
  readonly secretsKey: SecretsKey
  readonly config: Pick<Config, 'signingKeyPem'>
}

/** Verifiers may hold a key set for so long, hence a new key does not sign before (decisions 1.11 and 5.4). */
export const keySetMaxAgeSeconds = 60 * 60

/** Any number that no other advisory lock of the service takes. */
const signingKeyLock = 6_273_102

/**
 * Takes SIGNING_KEY, or else the stored key, or else makes one: after this there is a key to sign with.
 *
 * @throws when SIGNING_KEY is not a private key on P-256, or SECRETS_KEY does not open the stored key
 */
export async function openSigningKeys(sources: KeySources): Promise<SigningKeys> {
  const sealingKey = sources.secretsKey.derive('signing-key encryption', 32)
  const { signingKeyPem } = sources.config
  if (signingKeyPem !== undefined) {
    const given = await signingKeyFromPem(signingKeyPem)
    await publishGivenKey(sources, given)
    return { current: () => Promise.resolve(given) }
  }

  const unsealed = new Map<string, SigningKey>()
  const keys: SigningKeys = {
    async current(em) {
      const row = await signingRow(em, sources.clock.now())
      if (!row?.sealedPrivateKey) throw new Error('There is no key to sign with')
      const known = unsealed.get(row.kid) ?? unsealPrivateKey(row, row.sealedPrivateKey, sealingKey)
      unsealed.set(row.kid, known)
      return known
    },
  }
  await withoutOrganization(sources.orm, async (em) => {
    await lock(em)
    const now = sources.clock.now()
    const isThere = (await signingRow(em, now)) !== null
    if (!isThere) await insertKey(em, await generateSigningKey(), sealingKey, now, now)
    await keys.current(em)
  })
  return keys
}

/**
 * Makes a new key that is published now and signs when every cached key set has been fetched anew; the former one
 * stays published.
 *
 * @returns the id of the new key and from when on it signs
 */
export async function rotateSigningKey(
  sources: Pick<KeySources, 'orm' | 'clock' | 'secretsKey'>,
): Promise<{ kid: string; signsFrom: Date }> {
  const sealingKey = sources.secretsKey.derive('signing-key encryption', 32)
  const now = sources.clock.now()
  const signsFrom = new Date(now.getTime() + keySetMaxAgeSeconds * 1000)
  const key = await generateSigningKey()
  await withoutOrganization(sources.orm, async (em) => {
    await lock(em)
    await em.nativeUpdate(SigningKeyEntity, { retiredAt: null }, { retiredAt: signsFrom })
    await insertKey(em, key, sealingKey, now, signsFrom)
  })
  return { kid: key.kid, signsFrom }
}

/** The stored key that signs at this moment: the one that began last, of those whose secret half is here. */
async function signingRow(em: EntityManager, now: Date): Promise<SigningKeyRow | null> {
  const [row] = await em.find(
    SigningKeyEntity,
    {
      sealedPrivateKey: { $ne: null },
      signsFrom: { $lte: now },
      $or: [{ retiredAt: null }, { retiredAt: { $gt: now } }],
    },
    { orderBy: { signsFrom: 'desc' }, limit: 1 },
  )
  return row ?? null
}

async function insertKey(
  em: EntityManager,
  key: SigningKey,
  sealingKey: Uint8Array,
  createdAt: Date,
  signsFrom: Date,
): Promise<void> {
  const sealedPrivateKey = sealPrivateKey(key, sealingKey)
  const { kid, x, y } = key
  await em.insert(SigningKeyEntity, {
    kid,
    x,
    y,
    sealedPrivateKey,
    createdAt,
    signsFrom,
    retiredAt: null,
  })
}

/** The operator's own key takes over; stored ones are retired. */
async function publishGivenKey(
  { orm, clock }: KeySources,
  { kid, x, y }: SigningKey,
): Promise<void> {
  await withoutOrganization(orm, async (em) => {
    await lock(em)
    const now = clock.now()
    await em.nativeUpdate(
      SigningKeyEntity,
      { kid: { $ne: kid }, retiredAt: null },
      { retiredAt: now },
    )
    await em.upsert(
      SigningKeyEntity,
      { kid, x, y, sealedPrivateKey: null, createdAt: now, signsFrom: now, retiredAt: null },
      { onConflictFields: ['kid'], onConflictMergeFields: ['retiredAt'] },
    )
  })
}

async function lock(em: EntityManager): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(?)', [signingKeyLock])
}
