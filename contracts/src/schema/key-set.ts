import { z } from 'zod'

export const PublicKey = z
  .object({
    kty: z.literal('EC'),
    use: z.literal('sig'),
    alg: z.literal('ES256'),
    kid: z.string().meta({ description: 'The thumbprint of RFC 7638.' }),
    crv: z.literal('P-256'),
    x: z.base64url(),
    y: z.base64url(),
  })
  .meta({
    id: 'PublicKey',
    description: 'A public signing key (RFC 7517, RFC 7518 section 6.2.1).',
  })
export type PublicKey = z.infer<typeof PublicKey>

/** Decision 5.4. */
export const KeySet = z.object({ keys: z.array(PublicKey) }).meta({
  id: 'KeySet',
  description: 'Every key that ever signed, and the one that signs next; retired keys stay.',
  examples: [
    {
      keys: [
        {
          kty: 'EC',
          use: 'sig',
          alg: 'ES256',
          kid: 'oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U',
          crv: 'P-256',
          x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
          y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
        },
      ],
    },
  ],
})
export type KeySet = z.infer<typeof KeySet>
