import { hash, verify } from '@node-rs/argon2'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { commonPasswords } from './common-passwords.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. The library's default is argon2id. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** PHC string of argon2id. */
export async function hashPassword(password: string): Promise<string> {
  return hash(inOneForm(password), cost)
}

/**
 * Whether the password is the one of the hash. Without a hash (no such member, or an invited one
 * who has none yet) the same work is done, so that the answer takes the same time.
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  unknownMemberHash ??= hashPassword('of nobody')
  const matches = await verify(passwordHash ?? (await unknownMemberHash), inOneForm(password))
  return matches && passwordHash !== null
}

let unknownMemberHash: Promise<string> | undefined

/** NIST SP 800-63B, 5.1.1.2: keyboards write the same letter as different characters. */
function inOneForm(password: string): string {
  return password.normalize('NFKC')
}

/** NIST SP 800-63B, 5.1.1.2: length, and a list of what everybody tries first; no composition rules. */
export function weakness(password: string): Refusal<'WEAK_PASSWORD'> | null {
  const characters = Array.from(password)
  if (characters.length < limits.passwordMinCharacters) {
    return new Refusal(
      'WEAK_PASSWORD',
      `A password has at least ${limits.passwordMinCharacters} characters.`,
    )
  }
  const plain = inOneForm(password).toLowerCase()
  const oneCharacter = new Set(characters).size === 1
  if (oneCharacter || commonPasswords.has(plain) || isRun(plain)) {
    return new Refusal('WEAK_PASSWORD', 'This password is among the first that anybody tries.')
  }
  return null
}

/** Whether it only counts up or down: `23456789`, `hgfedcba`; after 9 comes 0. */
function isRun(text: string): boolean {
  const codes = Array.from(text, (character) => character.charCodeAt(0))
  const steps = codes.slice(1).map((code, at) => code - (codes[at] ?? 0))
  return (
    steps.every((step) => step === 1 || step === -9) ||
    steps.every((step) => step === -1 || step === 9)
  )
}
