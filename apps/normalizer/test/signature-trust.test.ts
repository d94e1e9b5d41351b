import { describe, expect, test } from 'vitest'
import { implicit, integer, printable, sequence, tagged, utf8 } from './fixture/der.ts'
import {
  alternativeNames,
  commonName,
  distinguishedName,
  extendedKeyUsage,
  extension,
  generalNames,
  type Identity,
  inhibitAnyPolicy,
  keyUsage,
  makeAuthority,
  makeIdentity,
  makeKeys,
  makeOcspResponse,
  makeRevocationList,
  nameConstraints,
  policies,
  policyMappings,
  requireExplicitPolicy,
  type RevokedEntry,
  timeStampingUsage,
} from './fixture/pki.ts'
import { signedPdf, withSecondSignature } from './fixture/signed-pdf.ts'
import { attribute, type CmsOptions, makeCms, makeTimestamp, oids } from './fixture/signer.ts'
import { detectedIn, type Judges, verifiedIn } from './fixture/verified-signatures.ts'

const now = new Date('2026-11-21T12:00:00Z')
const root = makeAuthority({ name: 'Root' })
const middle = makeAuthority({ name: 'Middle', issuer: root })
const signer = makeIdentity({ name: 'Signer', issuer: middle, extensions: [keyUsage(1)] })
const stampRoot = makeAuthority({ name: 'Stamp root' })
const stamper = makeIdentity({
  name: 'Stamper',
  issuer: stampRoot,
  notBefore: new Date('2020-01-01T00:00:00Z'),
  extensions: [timeStampingUsage],
})

describe('a chain of certificates', () => {
  test('is not judged without anchors', async () => {
    expect(await trustIn(await signed(signer, [middle]), {})).toBe(null)
  })

  test('is trusted when it leads to an anchor, and is not when it leads to another', async () => {
    const bytes = await signed(signer, [middle])
    expect(await trustIn(bytes, { anchors: [root] })).toBe(true)
    expect(await trustIn(bytes, { anchors: [middle] })).toBe(true)
    expect(await trustIn(bytes, { anchors: [signer] })).toBe(true)
    expect(await trustIn(bytes, { anchors: [stampRoot] })).toBe(false)
    expect(await trustIn(bytes, { anchors: [makeAuthority({ name: 'Root' })] })).toBe(false)
    expect(await trustIn(await signed(signer, []), { anchors: [root] })).toBe(false)
  })

  test('may be found in the security store of the document', async () => {
    const bytes = await signed(signer, [], {}, securityStore({ Certs: [middle.certificate] }))
    expect(await trustIn(bytes, { anchors: [root] })).toBe(true)
  })

  test('changes nothing of what is said without anchors', async () => {
    const bytes = await signed(signer, [middle])
    const [judged] = await verifiedIn(bytes, { anchors: [stampRoot] })
    const [unjudged] = await verifiedIn(bytes)
    expect({ ...judged, certificateChainTrusted: null }).toEqual(unjudged)
  })

  test('may go over a cross certificate when the other way does not lead anywhere', async () => {
    const other = makeAuthority({ name: 'Other root' })
    const keys = makeKeys()
    const lost = makeAuthority({ name: 'Crossed', keys, issuer: makeAuthority({ name: 'Lost' }) })
    const expired = makeAuthority({
      name: 'Crossed',
      keys,
      issuer: other,
      notAfter: new Date('2026-02-01T00:00:00Z'),
    })
    const crossed = makeAuthority({ name: 'Crossed', keys, issuer: other })
    const below = makeIdentity({ name: 'Below', issuer: crossed })
    const bytes = await signed(below, [lost, expired, crossed])
    expect(await trustIn(bytes, { anchors: [other] })).toBe(true)
    expect(await trustIn(await signed(below, [lost, expired]), { anchors: [other] })).toBe(false)
  })

  test('ends when authorities certify each other', async () => {
    const [a, b] = [makeKeys(), makeKeys()]
    const first = makeAuthority({ name: 'A', keys: a })
    const second = makeAuthority({ name: 'B', keys: b, issuer: first })
    const back = makeAuthority({ name: 'A', keys: a, issuer: second })
    const below = makeIdentity({ name: 'Below', issuer: back })
    expect(await trustIn(await signed(below, [first, second, back]), { anchors: [root] })).toBe(
      false,
    )
  })

  test('does not take an authority that only has the right name', async () => {
    const impostor = makeAuthority({ name: 'Middle', issuer: root })
    expect(await trustIn(await signed(signer, [impostor]), { anchors: [root] })).toBe(false)
  })

  test('knows a name whatever kind of string and which case it is written in', async () => {
    const asWritten = makeAuthority({
      name: distinguishedName(['2.5.4.3', utf8('Some  AUTHORITY ')]),
      issuer: root,
    })
    const named = {
      ...asWritten,
      name: distinguishedName(['2.5.4.3', printable('some authority')]),
    }
    const below = makeIdentity({ name: 'Below', issuer: named })
    expect(await trustIn(await signed(below, [asWritten]), { anchors: [root] })).toBe(true)
  })
})

describe('a certificate is not trusted', () => {
  test('before and after its time, nor when its authority is out of time', async () => {
    const late = { notAfter: new Date('2026-10-01T00:00:00Z') }
    const early = { notBefore: new Date('2027-01-01T00:00:00Z') }
    for (const time of [late, early]) {
      const below = makeIdentity({ name: 'Below', issuer: middle, ...time })
      const [found] = await verifiedIn(await signed(below, [middle]), { anchors: [root], now })
      expect(found).toMatchObject({
        valid: true,
        certificateExpired: true,
        certificateChainTrusted: false,
      })
      const outOfTime = makeAuthority({ name: 'Out of time', issuer: root, ...time })
      const under = makeIdentity({ name: 'Under', issuer: outOfTime })
      const [other] = await verifiedIn(await signed(under, [outOfTime]), { anchors: [root], now })
      expect(other).toMatchObject({ certificateExpired: false, certificateChainTrusted: false })
    }
  })

  test('when its key is not for signatures', async () => {
    expect(await trustBelow(middle, [keyUsage(4)])).toBe(false)
    expect(await trustBelow(middle, [keyUsage(5, 6)])).toBe(false)
    expect(await trustBelow(middle, [keyUsage(0)])).toBe(true)
    expect(await trustBelow(middle, [])).toBe(true)
  })

  test('when it is for servers or time-stamps alone', async () => {
    const [server, mail, documents] = ['1', '4', '36'].map((one) => `1.3.6.1.5.5.7.3.${one}`)
    expect(await trustBelow(middle, [extendedKeyUsage(false, server ?? '')])).toBe(false)
    expect(await trustBelow(middle, [timeStampingUsage])).toBe(false)
    expect(await trustBelow(middle, [extendedKeyUsage(true, server ?? '', mail ?? '')])).toBe(true)
    expect(await trustBelow(middle, [extendedKeyUsage(true, documents ?? '')])).toBe(true)
  })

  test('when it has a critical extension that nobody knows', async () => {
    expect(await trustBelow(middle, [extension('1.2.3.4', true, utf8('x'))])).toBe(false)
    expect(await trustBelow(middle, [extension('1.2.3.4', false, utf8('x'))])).toBe(true)
  })

  test('when its issuer is no authority, or may not sign certificates', async () => {
    expect(await trustBelow(makeIdentity({ name: 'No authority', issuer: root }))).toBe(false)
    const mayNot = makeIdentity({ name: 'May not', issuer: root, extensions: [keyUsage(0)] })
    expect(await trustBelow(mayNot)).toBe(false)
  })

  test('when there are more authorities above it than one of them allows', async () => {
    const none = makeAuthority({ name: 'None', issuer: root, pathLength: 0 })
    const between = makeAuthority({ name: 'Between', issuer: none })
    const below = makeIdentity({ name: 'Below', issuer: between })
    expect(await trustIn(await signed(below, [none, between]), { anchors: [root] })).toBe(false)
    expect(await trustBelow(none)).toBe(true)

    const again = makeAuthority({ name: 'None', issuer: none })
    const under = makeIdentity({ name: 'Under', issuer: again })
    expect(await trustIn(await signed(under, [none, again]), { anchors: [root] })).toBe(true)
  })
})

describe('names that an authority may certify', () => {
  const organization = (text: string): [string, Uint8Array] => ['2.5.4.10', utf8(text)]
  const acme = distinguishedName(organization('Acme'))

  test.each([
    ['a directory', generalNames.directory(acme), generalNames.directory(acme), null],
    [
      'a mailbox',
      generalNames.mail('a@acme.test'),
      generalNames.mail('a@acme.test'),
      generalNames.mail('b@acme.test'),
    ],
    [
      'the mail of a host',
      generalNames.mail('acme.test'),
      generalNames.mail('a@ACME.test'),
      generalNames.mail('a@x.acme.test'),
    ],
    [
      'the mail of a domain',
      generalNames.mail('.acme.test'),
      generalNames.mail('a@x.acme.test'),
      generalNames.mail('a@acme.test'),
    ],
    [
      'a host',
      generalNames.host('acme.test'),
      generalNames.host('www.acme.test'),
      generalNames.host('notacme.test'),
    ],
    [
      'a URI',
      generalNames.uri('.acme.test'),
      generalNames.uri('https://u@x.acme.test:1/'),
      generalNames.uri('https://acme.test/'),
    ],
    [
      'a network',
      generalNames.address(10, 1, 0, 0, 255, 255, 0, 0),
      generalNames.address(10, 1, 2, 3),
      generalNames.address(10, 2, 0, 1),
    ],
  ])('are limited by %s', async (_, base, inside, outside) => {
    const name = distinguishedName(organization('Acme'), ['2.5.4.3', utf8('Someone')])
    const trust = (authority: Identity, alternative: Uint8Array): Promise<boolean | null> =>
      trustBelow(authority, [alternativeNames(alternative)], name)

    const permitting = makeAuthority({
      name: 'Permitting',
      issuer: root,
      extensions: [nameConstraints({ permitted: [base] })],
    })
    const excluding = makeAuthority({
      name: 'Excluding',
      issuer: root,
      extensions: [nameConstraints({ excluded: [base] })],
    })
    expect(await trust(permitting, inside)).toBe(true)
    expect(await trust(excluding, inside)).toBe(false)
    if (outside === null) return
    expect(await trust(permitting, outside)).toBe(false)
    expect(await trust(excluding, outside)).toBe(true)
  })

  test('are limited for all below, also where the name is not in the tree', async () => {
    const permitting = makeAuthority({
      name: distinguishedName(organization('Acme')),
      issuer: root,
      extensions: [nameConstraints({ permitted: [generalNames.directory(acme)] })],
    })
    const outside = makeAuthority({ name: 'Outside', issuer: permitting })
    const name = distinguishedName(organization('Acme'), ['2.5.4.3', utf8('Someone')])
    const below = makeIdentity({ name, issuer: outside })
    expect(await trustIn(await signed(below, [permitting, outside]), { anchors: [root] })).toBe(
      false,
    )
    expect(await trustBelow(permitting, [], name)).toBe(true)
    expect(await trustBelow(permitting, [], commonName('Someone'))).toBe(false)
  })

  test('are limited for mail that stands in the subject alone', async () => {
    const permitting = makeAuthority({
      name: 'Permitting',
      issuer: root,
      extensions: [nameConstraints({ permitted: [generalNames.mail('acme.test')] })],
    })
    const mail = (text: string): Uint8Array =>
      distinguishedName(['1.2.840.113549.1.9.1', utf8(text)])
    expect(await trustBelow(permitting, [], mail('a@acme.test'))).toBe(true)
    expect(await trustBelow(permitting, [], mail('a@other.test'))).toBe(false)
  })
})

describe('policies', () => {
  const [one, two] = ['1.2.3.1', '1.2.3.2']
  const anyPolicy = '2.5.29.32.0'
  const explicit = requireExplicitPolicy(0)

  test('have to go through the path where an authority asks for them', async () => {
    const asking = authority([policies(one), explicit])
    expect(await trustBelow(asking, [policies(one)])).toBe(true)
    expect(await trustBelow(asking, [policies(two)])).toBe(false)
    expect(await trustBelow(asking, [])).toBe(false)
    expect(await trustBelow(authority([policies(one)]), [policies(two)])).toBe(true)
  })

  test('are all of them where any policy is stated, unless that is inhibited', async () => {
    expect(await trustBelow(authority([policies(anyPolicy), explicit]), [policies(two)])).toBe(true)
    expect(await trustBelow(authority([policies(one), explicit]), [policies(anyPolicy)])).toBe(true)
    const inhibiting = authority([policies(one), explicit, inhibitAnyPolicy(0)])
    expect(await trustBelow(inhibiting, [policies(anyPolicy)])).toBe(false)
  })

  test('may be mapped', async () => {
    const mapping = authority([policies(one), policyMappings([one, two]), explicit])
    expect(await trustBelow(mapping, [policies(two)])).toBe(true)
    expect(await trustBelow(mapping, [policies(one)])).toBe(false)
    const toAny = authority([policies(one), policyMappings([one, anyPolicy])])
    expect(await trustBelow(toAny, [policies(one)])).toBe(false)
  })

  function authority(extensions: readonly Uint8Array[]): Identity {
    return makeAuthority({ name: 'With policies', issuer: root, extensions })
  }
})

describe('revocation', () => {
  const before = new Date('2026-05-01T00:00:00Z')
  const revoked = [{ serial: signer.serial, at: before }]

  test.each([
    ['a list in the security store', {}, { CRLs: [makeRevocationList(middle, revoked)] }],
    ['a list in the signature', { revocationInfo: [makeRevocationList(middle, revoked)] }, {}],
    [
      "a list in Adobe's archive",
      { signedAttributes: [archive(0, makeRevocationList(middle, revoked))] },
      {},
    ],
    [
      'an OCSP response in the security store',
      {},
      { OCSPs: [makeOcspResponse(middle, signer, before)] },
    ],
    [
      "an OCSP response in Adobe's archive",
      { signedAttributes: [archive(1, makeOcspResponse(middle, signer, before))] },
      {},
    ],
    [
      'a list of the root',
      {},
      { CRLs: [makeRevocationList(root, [{ serial: middle.serial, at: before }])] },
    ],
  ] as const)('told by %s takes the trust away', async (_, cms, store) => {
    const bytes = await signed(signer, [middle], cms, securityStore(store))
    const [found] = await verifiedIn(bytes, { anchors: [root] })
    expect(found).toMatchObject({ valid: true, certificateChainTrusted: false })
  })

  test('told by a list of tens of thousands takes the trust away, wherever that stands', async () => {
    const many = Array.from({ length: 30_000 }, (_, at) => ({ serial: 1_000_000 + at, at: before }))
    const list = makeRevocationList(middle, [...many, ...revoked])
    const places: [CmsOptions, Parameters<typeof securityStore>[0]][] = [
      [{}, { CRLs: [list] }],
      [{ revocationInfo: [list] }, {}],
      [{ signedAttributes: [archive(0, list)] }, {}],
    ]
    for (const [cms, store] of places) {
      const pdf = { ...securityStore(store), contentsBytes: 2_000_000 }
      const [found] = await verifiedIn(await signed(signer, [middle], cms, pdf), {
        anchors: [root],
      })
      expect(found).toMatchObject({ valid: true, certificateChainTrusted: false })
    }
  })

  test.each([
    ['another list', { CRLs: [makeRevocationList(middle, [{ serial: 1, at: before }])] }],
    ['an empty list', { CRLs: [makeRevocationList(middle, [])] }],
    [
      'a list of somebody of the same name',
      { CRLs: [makeRevocationList(makeAuthority({ name: 'Middle' }), revoked)] },
    ],
    ['a good OCSP response', { OCSPs: [makeOcspResponse(middle, signer, null)] }],
    [
      'an OCSP response of a stranger',
      { OCSPs: [makeOcspResponse(middle, signer, before, makeIdentity())] },
    ],
    [
      'what is no list',
      { CRLs: [utf8('no list')], OCSPs: [utf8('no response')], Certs: [utf8('')] },
    ],
  ])('is not told by %s', async (_, store) => {
    const bytes = await signed(signer, [middle], {}, securityStore(store))
    expect(await trustIn(bytes, { anchors: [root] })).toBe(true)
  })

  test('is told by a responder that the authority appointed', async () => {
    const usage = extendedKeyUsage(false, '1.3.6.1.5.5.7.3.9')
    const responder = makeIdentity({ name: 'Responder', issuer: middle, extensions: [usage] })
    const response = makeOcspResponse(middle, signer, before, responder)
    const bytes = await signed(signer, [middle], {}, securityStore({ OCSPs: [response] }))
    expect(await trustIn(bytes, { anchors: [root] })).toBe(false)
  })

  test('is told by a list that the authority signs with another key of its name', async () => {
    const lister = makeAuthority({ name: 'Middle', issuer: root })
    const store = securityStore({
      CRLs: [makeRevocationList(lister, revoked)],
      Certs: [lister.certificate],
    })
    expect(await trustIn(await signed(signer, [middle], {}, store), { anchors: [root] })).toBe(
      false,
    )
  })

  test('is told by an indirect list, whose entries name their issuers', async () => {
    const lister = makeIdentity({ name: 'Lister', issuer: middle, extensions: [keyUsage(6)] })
    const point = extension('2.5.29.28', true, sequence(implicit(4, Buffer.from([0xff]))))
    const list = (issuer: Identity): Uint8Array =>
      makeRevocationList(
        lister,
        [{ serial: signer.serial, at: before, issuer: issuer.name }],
        undefined,
        [point],
      )
    const trust = async (issuer: Identity): Promise<boolean | null> => {
      const store = securityStore({ CRLs: [list(issuer)], Certs: [lister.certificate] })
      return trustIn(await signed(signer, [middle], {}, store), { anchors: [root] })
    }
    expect(await trust(middle)).toBe(false)
    expect(await trust(root)).toBe(true)
  })

  test('on hold ends with a later list that no longer has it', async () => {
    const hold = [{ serial: signer.serial, at: before, reason: 6 }]
    const held = makeRevocationList(middle, hold, new Date('2026-06-01T00:00:00Z'))
    const lifted = makeRevocationList(middle, [], new Date('2026-07-01T00:00:00Z'))
    const trust = async (...lists: Uint8Array[]): Promise<boolean | null> =>
      trustIn(await signed(signer, [middle], {}, securityStore({ CRLs: lists })), {
        anchors: [root],
      })
    expect(await trust(held)).toBe(false)
    expect(await trust(held, lifted)).toBe(true)

    const delta = (entries: RevokedEntry[]): Uint8Array =>
      makeRevocationList(middle, entries, new Date('2026-07-01T00:00:00Z'), [
        extension('2.5.29.27', true, integer(1)),
      ])
    // A list of changes that does not name it says that nothing changed.
    expect(await trust(held, delta([]))).toBe(false)
    expect(await trust(held, delta([{ serial: signer.serial, at: before, reason: 8 }]))).toBe(true)
  })

  test('after a trusted time-stamp does not count, before it does', async () => {
    const list = makeRevocationList(middle, revoked)
    const trust = async (genTime: string, anchors = [root, stampRoot]): Promise<boolean | null> => {
      const timestamp = { signer: stamper, genTime: new Date(genTime) }
      const store = securityStore({ CRLs: [list] })
      return trustIn(await signed(signer, [middle], { timestamp }, store), { anchors })
    }
    expect(await trust('2026-04-01T00:00:00Z')).toBe(true)
    expect(await trust('2026-06-01T00:00:00Z')).toBe(false)
    // A stamp of somebody unknown proves no time.
    expect(await trust('2026-04-01T00:00:00Z', [root])).toBe(false)
  })

  test('of a time-stamping authority spares its earlier stamps only for orderly reasons', async () => {
    const at = new Date('2026-09-01T00:00:00Z')
    const trust = async (reason?: number): Promise<boolean | null> => {
      const entry = { serial: stamper.serial, at, ...(reason === undefined ? {} : { reason }) }
      const lists = [makeRevocationList(middle, revoked), makeRevocationList(stampRoot, [entry])]
      const timestamp = { signer: stamper, genTime: new Date('2026-04-01T00:00:00Z') }
      const bytes = await signed(signer, [middle], { timestamp }, securityStore({ CRLs: lists }))
      return trustIn(bytes, { anchors: [root], timestampAnchors: [stampRoot] })
    }
    expect(await trust(5)).toBe(true)
    expect(await trust(1)).toBe(false)
    expect(await trust()).toBe(false)
  })
})

describe('long-term validation', () => {
  const short = makeIdentity({
    name: 'Short',
    issuer: middle,
    notAfter: new Date('2026-04-01T00:00:00Z'),
  })

  test('rests on the signature time-stamp when the certificate is out of time', async () => {
    const timestamp = { signer: stamper, genTime: new Date('2026-03-01T00:00:00Z') }
    const bytes = await signed(short, [middle], { timestamp })
    expect(await verifiedIn(bytes, { anchors: [root, stampRoot], now })).toMatchObject([
      { certificateExpired: false, certificateChainTrusted: true, timestampValid: true },
    ])
    expect(await verifiedIn(await signed(short, [middle]), { anchors: [root], now })).toMatchObject(
      [{ certificateExpired: true, certificateChainTrusted: false }],
    )
  })

  test('rests on a later document time-stamp over validation data', async () => {
    const { catalog, objects } = securityStore({ Certs: [middle.certificate] })
    const bytes = await withSecondSignature(
      await signed(short, []),
      (covered) => makeTimestamp(stamper, covered, new Date('2026-03-01T00:00:00Z')),
      { subFilter: 'ETSI.RFC3161', catalog, objects },
    )
    expect(
      await verifiedIn(bytes, { anchors: [root], timestampAnchors: [stampRoot], now }),
    ).toMatchObject([
      { valid: true, certificateChainTrusted: true, timestampPresent: true, timestampValid: true },
      { valid: true, certificateChainTrusted: true, timestampPresent: true, timestampValid: true },
    ])
    expect(
      await verifiedIn(bytes, { anchors: [stampRoot], timestampAnchors: [root], now }),
    ).toMatchObject([{ certificateChainTrusted: false }, { certificateChainTrusted: false }])
  })

  test('holds over archive time-stamps, each with validation data for what is before it', async () => {
    const stampMiddle = makeAuthority({ name: 'Stamp middle', issuer: stampRoot })
    const [first, second] = ['First', 'Second'].map((name) =>
      makeIdentity({ name, issuer: stampMiddle, extensions: [timeStampingUsage] }),
    )
    if (!first || !second) throw new Error('two were made')
    const at = (day: string): Date => new Date(`2026-0${day}T00:00:00Z`)
    const material = {
      Certs: [middle.certificate, stampMiddle.certificate],
      CRLs: [makeRevocationList(middle, []), makeRevocationList(root, [])],
      OCSPs: [makeOcspResponse(middle, short, null)],
    }
    const store = securityStore(material, 'VRI')
    const stamped = await signed(short, [], { timestamp: { signer: first, genTime: at('2-01') } })
    const archived = await withSecondSignature(
      stamped,
      (covered) => makeTimestamp(second, covered, at('3-01')),
      { subFilter: 'ETSI.RFC3161', ...store },
    )
    const anchors = { anchors: [root], timestampAnchors: [stampRoot], now }
    expect(await verifiedIn(archived, anchors)).toMatchObject([
      {
        valid: true,
        signedAt: at('2-01').toISOString(),
        certificateExpired: false,
        certificateChainTrusted: true,
        timestampValid: true,
      },
      { valid: true, signedAt: at('3-01').toISOString(), certificateChainTrusted: true },
    ])
    const [unknown] = await verifiedIn(stamped, anchors)
    expect(unknown).toMatchObject({ valid: true, certificateChainTrusted: false })
  })

  test('takes the good one of several time-stamps', async () => {
    const genTime = new Date('2026-03-01T00:00:00Z')
    const other = makeTimestamp(stamper, Buffer.from('other'), now)
    const bytes = await signed(signer, [middle], {
      unsignedAttributes: [
        attribute(oids.signatureTimestamp, utf8('none')),
        attribute(oids.signatureTimestamp, other),
      ],
      timestamp: { signer: stamper, genTime },
    })
    expect(await verifiedIn(bytes)).toMatchObject([
      { signedAt: genTime.toISOString(), timestampPresent: true, timestampValid: true },
    ])
  })

  test('is told to be weak where a certificate relies on SHA-1', async () => {
    const weak = makeIdentity({ name: 'Weak', issuer: middle, digest: 'sha1' })
    const { findings } = await detectedIn(await signed(weak, [middle]), { anchors: [root], now })
    expect(findings.security.signatureVerificationResults).toMatchObject([
      { valid: true, certificateChainTrusted: true },
    ])
    expect(findings.warnings.map(({ code }) => code)).toContain('WEAK_SIGNATURE_ALGORITHM')
  })
})

function signed(
  by: Identity,
  chain: readonly Identity[],
  cms: CmsOptions = {},
  pdf: Parameters<typeof signedPdf>[1] = {},
): Promise<Uint8Array> {
  const certificates = chain.map(({ certificate }) => certificate)
  return signedPdf((bytes) => makeCms(by, bytes, { certificates, ...cms }), pdf)
}

async function trustIn(bytes: Uint8Array, judges: Judges): Promise<boolean | null> {
  const [signature] = await verifiedIn(bytes, { now, ...judges })
  if (!signature?.valid) throw new Error(signature?.reason ?? 'no signature')
  return signature.certificateChainTrusted
}

/** Whether a certificate with these extensions is trusted below an authority that the root issued. */
async function trustBelow(
  authority: Identity,
  extensions: readonly Uint8Array[] = [],
  name: Uint8Array = commonName('Below'),
): Promise<boolean | null> {
  const below = makeIdentity({ name, issuer: authority, extensions })
  return trustIn(await signed(below, [authority]), { anchors: [root] })
}

/** RevocationInfoArchival: `[0]` lists, `[1]` OCSP responses. */
function archive(kind: 0 | 1, encoding: Uint8Array): Uint8Array {
  return attribute(oids.revocationArchive, sequence(tagged(kind, sequence(encoding))))
}

/** `/DSS` with streams of these, in objects from 10 on; under `VRI` they are there for one signature alone. */
function securityStore(
  entries: Readonly<Record<string, readonly Uint8Array[]>>,
  place: 'DSS' | 'VRI' = 'DSS',
): { catalog: string; objects: [number, string][] } {
  const objects: [number, string][] = []
  const lists = Object.entries(entries).map(([key, encodings]) => {
    const references = encodings.map((encoding) => {
      const hex = Buffer.from(encoding).toString('hex')
      const number = 10 + objects.length
      objects.push([
        number,
        `<< /Filter /ASCIIHexDecode /Length ${hex.length} >>\nstream\n${hex}\nendstream`,
      ])
      return `${number} 0 R`
    })
    // The keys of one signature's data are in the singular (table 262).
    return `/${place === 'VRI' ? key.slice(0, -1) : key} [${references.join(' ')}]`
  })
  const data = `<< ${lists.join(' ')} >>`
  const store =
    place === 'VRI' ? `<< /VRI << /0123456789ABCDEF0123456789ABCDEF01234567 ${data} >> >>` : data
  return { catalog: `/DSS ${store}`, objects }
}
