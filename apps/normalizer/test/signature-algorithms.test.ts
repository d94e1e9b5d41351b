import { constants, createHash, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { algorithm, der, integer, nothing, octets, oid, sequence, tagged } from './fixture/der.ts'
import { makeIdentity } from './fixture/pki.ts'
import { signedPdf } from './fixture/signed-pdf.ts'
import {
  attribute,
  type CmsOptions,
  makeCms,
  makeSigner,
  namingCertificate,
  oids,
  type Scheme,
  schemeOf,
  type Signer,
} from './fixture/signer.ts'
import { detectedIn, verifiedIn } from './fixture/verified-signatures.ts'

const rsa = makeSigner()
const ec = makeSigner({ algorithm: 'ECDSA' })

describe('a signature is valid when made', () => {
  test.each(['sha256', 'sha384', 'sha512'] as const)('with RSA over %s', async (digest) => {
    expect(await reasonFor(rsa, { scheme: schemeOf(rsa, digest) })).toBe(null)
  })

  test.each([
    ['sha3-256', '2.16.840.1.101.3.4.2.8', '2.16.840.1.101.3.4.3.14'],
    ['ripemd160', '1.3.36.3.2.1', '1.3.36.3.3.1.2'],
    ['sha512-256', '2.16.840.1.101.3.4.2.6', '1.2.840.113549.1.1.16'],
  ])('with RSA over %s, named by both algorithms', async (digest, digestOid, signatureOid) => {
    expect(await reasonFor(rsa, { scheme: scheme(digest, digestOid, signatureOid) })).toBe(null)
  })

  test.each([
    ['P-256', 'sha256'],
    ['P-384', 'sha384'],
    ['P-521', 'sha512'],
    ['brainpoolP256r1', 'sha256'],
    ['brainpoolP384r1', 'sha384'],
    ['brainpoolP512r1', 'sha512'],
  ] as const)('with ECDSA on %s over %s', async (curve, digest) => {
    const signer = makeSigner({ algorithm: 'ECDSA', curve })
    expect(await reasonFor(signer, { scheme: schemeOf(signer, digest) })).toBe(null)
  })

  test('with ECDSA in the plain form of BSI TR-03111', async () => {
    const plain = {
      ...scheme('sha256', oids.sha256, '0.4.0.127.0.7.1.1.4.1.3'),
      key: { dsaEncoding: 'ieee-p1363' },
    } as const
    expect(await reasonFor(ec, { scheme: plain })).toBe(null)
  })

  test('with DSA', async () => {
    const signer = makeSigner({ algorithm: 'DSA' })
    expect(await reasonFor(signer)).toBe(null)
  })

  test('with Ed25519', async () => {
    const signer = makeSigner({ algorithm: 'Ed25519' })
    expect(await reasonFor(signer, { scheme: schemeOf(signer, 'sha512') })).toBe(null)
  })

  test('with Ed448 over SHAKE256 of 512 bits, and over nothing else', async () => {
    const signer = makeSigner({ algorithm: 'Ed448' })
    const shake = scheme('shake256', '2.16.840.1.101.3.4.2.12', '1.3.101.113')
    expect(await reasonFor(signer, { scheme: shake })).toBe(null)
    expect(await reasonFor(signer, { scheme: schemeOf(signer, 'sha512') })).toBe(
      'unsupported algorithm 1.3.101.113',
    )
  })

  test('without signed attributes', async () => {
    expect(await reasonFor(ec, { withoutAttributes: true })).toBe(null)
  })
})

describe('RSA-PSS', () => {
  const padding = constants.RSA_PKCS1_PSS_PADDING
  const pss = (saltLength: number, ...parameters: Uint8Array[]): Scheme => ({
    digest: 'sha256',
    digestAlgorithm: algorithm(oids.sha256, nothing),
    signatureAlgorithm: algorithm('1.2.840.113549.1.1.10', sequence(...parameters)),
    key: { padding, saltLength },
  })
  const hash = tagged(0, algorithm(oids.sha256, nothing))
  const mask = (digest: string): Uint8Array =>
    tagged(1, algorithm('1.2.840.113549.1.1.8', algorithm(digest, nothing)))

  test('verifies with the salt and the functions that its parameters name', async () => {
    const scheme32 = pss(32, hash, mask(oids.sha256), tagged(2, integer(32)))
    expect(await reasonFor(rsa, { scheme: scheme32 })).toBe(null)
  })

  test('has SHA-1 and a salt of 20 where they name none', async () => {
    const defaults = {
      ...pss(20),
      digest: 'sha1',
      digestAlgorithm: algorithm(oids.sha1, nothing),
    }
    expect(await reasonFor(rsa, { scheme: defaults })).toBe(null)
  })

  test('verifies with another hash function in the mask, and only what the key signed', async () => {
    const [own, other] = [0, 1].map(() =>
      makeIdentity({
        keys: generateKeyPairSync('rsa-pss', {
          modulusLength: 2048,
          hashAlgorithm: 'sha256',
          mgf1HashAlgorithm: 'sha512',
        }),
      }),
    )
    if (!own || !other) throw new Error('two were made')
    const parameters = [hash, mask(oids.sha512), tagged(2, integer(32))]
    const mixed = { ...pss(32, ...parameters), key: { saltLength: 32 } }
    expect(await reasonFor(own, { scheme: mixed })).toBe(null)
    const forged = { ...own, privateKey: other.privateKey }
    expect(await reasonFor(forged, { scheme: mixed })).toBe('signature value does not verify')
    // The key allows no other function in its mask.
    const stated = {
      ...pss(32, hash, mask(oids.sha1), tagged(2, integer(32))),
      key: { saltLength: 32 },
    }
    expect(await reasonFor(own, { scheme: stated })).toBe('signature value does not verify')
  })

  test('does not verify with another length of salt', async () => {
    const scheme20 = pss(32, hash, mask(oids.sha256), tagged(2, integer(20)))
    expect(await reasonFor(rsa, { scheme: scheme20 })).toBe('signature value does not verify')
  })

  test('is not supported with another trailer or over another hash function than the digest', async () => {
    const trailer = pss(32, hash, mask(oids.sha256), tagged(2, integer(32)), tagged(3, integer(2)))
    const sha512 = pss(
      32,
      tagged(0, algorithm(oids.sha512)),
      mask(oids.sha512),
      tagged(2, integer(32)),
    )
    for (const odd of [trailer, sha512]) {
      expect(await reasonFor(rsa, { scheme: odd })).toBe(
        'unsupported algorithm 1.2.840.113549.1.1.10',
      )
    }
  })
})

describe('an algorithm that cannot be relied on', () => {
  test('is told when it is SHA-1, which old documents have', async () => {
    const document = await signedDocument(rsa, { scheme: schemeOf(rsa, 'sha1') })
    const { findings } = await detectedIn(document)
    expect(findings.security.overallSignatureStatus).toBe('ALL_VALID')
    expect(findings.warnings).toContainEqual({
      code: 'WEAK_SIGNATURE_ALGORITHM',
      message: 'Signature "Sig1" relies on SHA1.',
    })
  })

  test('makes the signature invalid when it is MD5, or an RSA key of less than 1,024 bits', async () => {
    const md5 = scheme('md5', '1.2.840.113549.2.5', '1.2.840.113549.1.1.1')
    expect(await reasonFor(rsa, { scheme: md5 })).toBe('unsupported algorithm 1.2.840.113549.2.5')
    const short = makeSigner({ bits: 1016 })
    expect(await reasonFor(short)).toBe('unsupported algorithm 1.2.840.113549.1.1.1')
    expect(await reasonFor(makeSigner({ bits: 1024 }))).toBe(null)
  })

  test('is one that is not of the kind of the key', async () => {
    const asEcdsa = scheme('sha256', oids.sha256, '1.2.840.10045.4.3.2')
    expect(await reasonFor(rsa, { scheme: asEcdsa })).toBe('signature value does not verify')
  })

  test('is a signature algorithm in the place of a hash function', async () => {
    const odd = scheme('sha256', '1.2.840.113549.1.1.11', '1.2.840.113549.1.1.1')
    expect(await reasonFor(rsa, { scheme: odd })).toBe(
      'unsupported algorithm 1.2.840.113549.1.1.11',
    )
  })
})

describe('what a signature says of itself', () => {
  const issuerSerial = ({ issuerName, serial }: Signer, number = serial): Uint8Array =>
    sequence(sequence(tagged(4, issuerName)), integer(number))

  test('names its certificate by issuer and serial number or by the identifier of the key', async () => {
    const keyIdentifier = createHash('sha1')
      .update(Buffer.from(ec.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
      .digest()
    expect(await reasonFor(ec, { keyIdentifier })).toBe('no signer certificate')
    const point = ec.publicKey.export({ type: 'spki', format: 'der' }).subarray(-65)
    const right = createHash('sha1').update(point).digest()
    expect(await reasonFor(ec, { keyIdentifier: right })).toBe(null)
  })

  test('has to name the signer in its signing-certificate attribute', async () => {
    const named = (...attributes: Uint8Array[]): CmsOptions => ({ signedAttributes: attributes })
    expect(await reasonFor(ec, named(namingCertificate(ec)))).toBe(null)
    expect(await reasonFor(ec, named(namingCertificate(ec, issuerSerial(ec))))).toBe(null)
    expect(await reasonFor(ec, named(namingCertificate(rsa)))).toBe('no signer certificate')
    expect(await reasonFor(ec, named(namingCertificate(ec, issuerSerial(ec, 1))))).toBe(
      'no signer certificate',
    )
    const sha1 = createHash('sha1').update(ec.certificate).digest()
    const old = (hash: Uint8Array): Uint8Array =>
      attribute(oids.signingCertificate, sequence(sequence(sequence(octets(hash)))))
    expect(await reasonFor(ec, named(old(sha1)))).toBe(null)
    expect(await reasonFor(ec, named(old(sha1.map((octet) => octet ^ 1))))).toBe(
      'no signer certificate',
    )
  })

  test('has to name the algorithms that it uses where it protects them', async () => {
    const protectedBy = (digest: string): CmsOptions => ({
      signedAttributes: [
        attribute(
          oids.algorithmProtection,
          sequence(algorithm(digest), tagged(1, oid('1.2.840.10045.4.3.2'))),
        ),
      ],
    })
    expect(await reasonFor(ec, protectedBy(oids.sha256))).toBe(null)
    expect(await reasonFor(ec, protectedBy(oids.sha512))).toBe('cms malformed')
  })

  test('has each of the attributes that decide once', async () => {
    const again = attribute(oids.contentType, oid(oids.data))
    expect(await reasonFor(ec, { signedAttributes: [again] })).toBe('cms malformed')
  })

  test('has exactly one signer', async () => {
    expect(await reasonFor(ec, { signers: 0 })).toBe('cms malformed')
    expect(await reasonFor(ec, { signers: 2 })).toBe('cms malformed')
  })

  test('may sign other content than data only together with its type', async () => {
    const options = { contentType: '1.2.3.4', withoutAttributes: true }
    expect(await reasonFor(ec, options)).toBe('cms malformed')
  })

  test('is found by the certificate that the document has in its security store', async () => {
    const stored = `/DSS << /Certs [9 0 R] >>`
    const hex = Buffer.from(ec.certificate).toString('hex')
    const bytes = await signedPdf((signed) => makeCms(ec, signed, { withoutCertificate: true }), {
      catalog: stored,
      objects: [
        [9, `<< /Filter /ASCIIHexDecode /Length ${hex.length} >>\nstream\n${hex}\nendstream`],
      ],
    })
    expect(await verifiedIn(bytes)).toMatchObject([{ valid: true, reason: null }])
  })
})

describe('a signature in another encoding', () => {
  test('may be in BER, without lengths and with its octets in parts', async () => {
    expect(await reasonFor(ec, { withoutLengths: true })).toBe(null)
    const enveloping = await signedPdf(
      (signed) => {
        const content = createHash('sha1').update(signed).digest()
        return makeCms(rsa, signed, { content, withoutLengths: true })
      },
      { subFilter: 'adbe.pkcs7.sha1' },
    )
    expect(await verifiedIn(enveloping)).toMatchObject([{ valid: true, reason: null }])
  })

  test('is malformed when it is cut off, nested without end or something else', async () => {
    const deep = Buffer.concat([Buffer.alloc(4000, Buffer.from([0x30, 0x80])), Buffer.alloc(50)])
    const long = Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0])
    for (const odd of [deep, long, sequence(oid(oids.signedData)), nothing, Buffer.alloc(0)]) {
      const bytes = await signedPdf(() => odd)
      expect(await verifiedIn(bytes)).toMatchObject([{ valid: false, reason: 'cms malformed' }])
    }
  })
})

describe('a signature that is large', () => {
  const of = (count: number, ...values: Uint8Array[]): Uint8Array =>
    Buffer.alloc(count * Buffer.concat(values).length, Buffer.concat(values))

  async function reasonWith(unsigned: Uint8Array): Promise<string | null | undefined> {
    const bytes = await signedPdf(
      (signed) => makeCms(ec, signed, { unsignedAttributes: [unsigned] }),
      { contentsBytes: 1_000_000 },
    )
    return (await verifiedIn(bytes))[0]?.reason
  }

  test('is valid with a part that nobody asks for, however many values that has', async () => {
    const entries = sequence(of(100_000, sequence(integer(1))))
    const text = der(0x0c, Buffer.alloc(100_000, 'x'))
    for (const value of [entries, text]) {
      expect(await reasonWith(attribute('1.2.3.4', sequence(value)))).toBe(null)
    }
  })

  test('is malformed with more values elsewhere than any signature has', async () => {
    const identifiers = of(1_000, oid(`1.2.3${'.4'.repeat(100)}`))
    for (const value of [der(0x31, of(60_000, nothing)), der(0x31, identifiers)]) {
      expect(await reasonWith(attribute('1.2.3.4', value))).toBe('cms malformed')
    }
  })
})

function scheme(digest: string, digestOid: string, signatureOid: string): Scheme {
  return {
    digest,
    digestAlgorithm: algorithm(digestOid),
    signatureAlgorithm: algorithm(signatureOid),
  }
}

function signedDocument(signer: Signer, options: CmsOptions = {}): Promise<Uint8Array> {
  return signedPdf((signed) => makeCms(signer, signed, options))
}

async function reasonFor(signer: Signer, options: CmsOptions = {}): Promise<string | null> {
  const [signature] = await verifiedIn(await signedDocument(signer, options))
  if (!signature) throw new Error('the document has no signature')
  return signature.reason
}
