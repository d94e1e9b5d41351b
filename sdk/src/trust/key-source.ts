import type { KeySet, PublicKey } from '../generated/types.ts'

/** Keys at hand, or where to look for one by its id, as {@link publishedKeys} does. */
export type KeySource = KeySet | ((keyId: string) => Promise<KeySet>)

/** The key with this id; undefined when the source does not have it. */
export async function keyOf(source: KeySource, keyId: string): Promise<PublicKey | undefined> {
  const { keys } = typeof source === 'function' ? await source(keyId) : source
  return keys.find(({ kid }) => kid === keyId)
}

/** So that forged ids cannot make a verifier ask without end. */
const askAgainAfterMs = 30_000

/**
 * Keeps a key set, and asks for it again when a key is wanted that is not in it: keys are published before they
 * sign, and retired ones stay. Whatever is wanted, it asks again at most twice a minute.
 */
export function keyCache(read: () => Promise<KeySet>): (keyId: string) => Promise<KeySet> {
  let known: KeySet | null = null
  let asking: Promise<KeySet> | null = null
  let askAgainFrom = 0
  return async (keyId) => {
    if (known !== null) {
      if (known.keys.some(({ kid }) => kid === keyId) || Date.now() < askAgainFrom) return known
      askAgainFrom = Date.now() + askAgainAfterMs
    }
    asking ??= read().finally(() => {
      asking = null
    })
    known = await asking
    return known
  }
}
