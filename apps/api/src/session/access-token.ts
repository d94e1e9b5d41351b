import { createECDH, createPrivateKey, createPublicKey } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { MemberRole } from '@pdfnorm/contracts/schema/member'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { SecretsKey } from '../secrets-key.ts'

/** What an access token says (decision 3.6). */
const AccessTokenClaims = z.object({
  sub: z.uuid(),
  org: z.uuid(),
  role: MemberRole,
  sid: z.uuid(),
})
export type AccessTokenClaims = z.infer<typeof AccessTokenClaims>

export interface AccessTokens {
  /** Compact JWT, ES256. */
  issue(claims: AccessTokenClaims): Promise<string>
  /** The claims, or why the token is not accepted. Whether its session still lives is not looked at. */
  read(token: string): Promise<AccessTokenClaims | 'expired' | 'invalid'>
}

/** Signs with a P-256 key that every process derives from the same secret. */
export function openAccessTokens(
  config: Pick<Config, 'accessTokenTtlMs' | 'baseUrl'>,
  clock: Clock,
  secretsKey: SecretsKey,
): AccessTokens {
  const { privateKey, publicKey } = keyPair(secretsKey)
  // A token of another kind that this service signs can never pass for an access token.
  const header = { alg: 'ES256', typ: 'at+jwt' }

  return {
    async issue({ sub, ...claims }) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      return new SignJWT(claims)
        .setProtectedHeader(header)
        .setSubject(sub)
        .setIssuer(config.baseUrl)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + Math.floor(config.accessTokenTtlMs / 1000))
        .sign(privateKey)
    },
    async read(token) {
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          algorithms: [header.alg],
          typ: header.typ,
          issuer: config.baseUrl,
          currentDate: clock.now(),
          requiredClaims: ['sub', 'iat', 'exp'],
        })
        return AccessTokenClaims.parse(payload)
      } catch (error) {
        const expired =
          error instanceof Error && 'code' in error && error.code === 'ERR_JWT_EXPIRED'
        return expired ? 'expired' : 'invalid'
      }
    },
  }
}

/**
 * A P-256 key pair out of the secret. 48 derived bytes modulo the order less one leave no visible
 * bias (FIPS 186-5, A.2.1).
 */
function keyPair(secretsKey: SecretsKey) {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const candidate = BigInt(`0x${secretsKey.derive('access-token signature', 48).toString('hex')}`)
  const scalar = (candidate % (order - 1n)) + 1n
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')

  const curve = createECDH('prime256v1')
  curve.setPrivateKey(d)
  const point = curve.getPublicKey()
  const publicJwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  return {
    privateKey: createPrivateKey({
      key: { ...publicJwk, d: d.toString('base64url') },
      format: 'jwk',
    }),
    publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }),
  }
}
