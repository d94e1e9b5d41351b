import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Random, seededRandom } from '../fuzz/random.ts'
import { utf8 } from './fixture/der.ts'
import {
  alternativeNames,
  basicConstraints,
  distinguishedName,
  generalNames,
  type Identity,
  inhibitAnyPolicy,
  keyUsage,
  makeAuthority,
  makeIdentity,
  nameConstraints,
  policies,
  policyMappings,
  requireExplicitPolicy,
} from './fixture/pki.ts'
import { signedPdf } from './fixture/signed-pdf.ts'
import { makeCms } from './fixture/signer.ts'
import { pemBundle, verifiedIn } from './fixture/verified-signatures.ts'

// Processes are started, and a busy machine takes its time over each.
vi.setConfig({ testTimeout: 60_000 })

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const withoutOpenssl = hasOpenssl ? '' : ' (skipped: openssl is not installed)'
const at = new Date('2026-06-01T00:00:00Z')

test.runIf(hasOpenssl)(
  `openssl trusts the same chains, of random authorities, names, policies and times${withoutOpenssl}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-'))
    const random = seededRandom(5280)
    let trusted = 0
    for (let count = 0; count < 30; count++) {
      const chain = randomChain(random)
      const [root, signer] = [chain[0], chain.at(-1)]
      if (!root || !signer) throw new Error('a chain has an end')
      const certificates = chain.slice(1, -1).map(({ certificate }) => certificate)
      const bytes = await signedPdf((signed) => makeCms(signer, signed, { certificates }))
      const [ours] = await verifiedIn(bytes, { anchors: [root], now: at })
      expect
        .soft(ours?.certificateChainTrusted, `chain ${count}`)
        .toBe(opensslTrusts(chain, folder))
      if (ours?.certificateChainTrusted) trusted++
    }
    rmSync(folder, { recursive: true })
    // Neither side may get away with one answer to everything.
    expect(trusted).toBeGreaterThan(5)
    expect(trusted).toBeLessThan(25)
  },
)

function randomChain(random: Random): Identity[] {
  const chain = [makeAuthority({ name: nameOf('A', 'root') })]
  const length = 1 + random.below(4)
  const hasPolicies = random.chance(2)
  for (let depth = 0; depth < length; depth++) {
    const issuer = chain.at(-1)
    if (!issuer) throw new Error('a chain has a root')
    const isSigner = depth === length - 1
    chain.push(
      makeIdentity({
        name: nameOf(random.chance(4) ? 'B' : 'A', `Level ${depth}`),
        issuer,
        extensions: [
          ...(isSigner ? signerExtensions(random) : authorityExtensions(random)),
          ...(hasPolicies ? policyExtensions(random, isSigner) : []),
        ],
        ...(random.chance(20) ? { notAfter: new Date('2026-02-01T00:00:00Z') } : {}),
      }),
    )
  }
  return chain
}

function nameOf(organization: string, text: string): Uint8Array {
  return distinguishedName(['2.5.4.10', utf8(organization)], ['2.5.4.3', utf8(text)])
}

function authorityExtensions(random: Random): Uint8Array[] {
  const length = random.chance(3) ? random.below(3) : undefined
  const usage = keyUsage(...(random.chance(12) ? [0] : [5, 6]))
  const constraints = nameConstraints({
    ...(random.chance(2) ? { permitted: [randomBase(random), randomBase(random)] } : {}),
    ...(random.chance(2) ? { excluded: [randomBase(random)] } : {}),
  })
  return [
    basicConstraints(!random.chance(20), length),
    ...(random.chance(5) ? [] : [usage]),
    ...(random.chance(3) ? [constraints] : []),
  ]
}

function signerExtensions(random: Random): Uint8Array[] {
  const names = [randomName(random), randomName(random)].slice(random.below(2))
  return random.chance(2) ? [alternativeNames(...names)] : []
}

function randomBase(random: Random): Uint8Array {
  return random.pick([
    generalNames.directory(distinguishedName(['2.5.4.10', utf8(random.pick(['A', 'B']))])),
    generalNames.mail(random.pick(['a.test', '.a.test', 'x@a.test', 'b.test'])),
    generalNames.host(random.pick(['a.test', 'w.a.test', 'b.test'])),
    generalNames.uri(random.pick(['a.test', '.a.test', 'b.test'])),
    generalNames.address(10, random.below(2), 0, 0, 255, 255, 0, 0),
  ])
}

function randomName(random: Random): Uint8Array {
  return random.pick([
    generalNames.mail(random.pick(['x@a.test', 'y@w.a.test', 'z@b.test'])),
    generalNames.host(random.pick(['a.test', 'w.a.test', 'b.test', 'ba.test'])),
    generalNames.uri(random.pick(['http://a.test/', 'https://w.a.test/x', 'ftp://b.test'])),
    generalNames.address(10, random.below(2), 0, 1),
    generalNames.directory(nameOf(random.pick(['A', 'B']), 'Alternative')),
  ])
}

function policyExtensions(random: Random, isSigner: boolean): Uint8Array[] {
  const [one, two, any] = ['1.2.3.1', '1.2.3.2', '2.5.29.32.0'] as const
  const stated = random.chance(3) ? [one, two] : [random.pick([one, two, any])]
  const mapping = [random.pick([one, two]), random.pick([one, two])] as const
  return [
    ...(random.chance(7) ? [] : [policies(...stated)]),
    ...(random.chance(2) ? [requireExplicitPolicy(random.below(3))] : []),
    ...(!isSigner && random.chance(4) ? [policyMappings([...mapping])] : []),
    ...(!isSigner && random.chance(5) ? [inhibitAnyPolicy(random.below(2))] : []),
  ]
}

function opensslTrusts(chain: readonly Identity[], folder: string): boolean {
  const file = (name: string, identities: readonly Identity[]): string => {
    const path = join(folder, name)
    writeFileSync(path, pemBundle(identities))
    return path
  }
  const between = chain.slice(1, -1)
  const time = ['-attime', String(at.getTime() / 1000)]
  const anyPolicy = ['-policy_check', '-policy', '2.5.29.32.0']
  const anchors = ['-CAfile', file('root', chain.slice(0, 1))]
  const others = between.length > 0 ? ['-untrusted', file('between', between)] : []
  const signer = file('signer', chain.slice(-1))
  const { status } = spawnSync('openssl', [
    'verify',
    ...time,
    ...anyPolicy,
    ...anchors,
    ...others,
    signer,
  ])
  return status === 0
}
