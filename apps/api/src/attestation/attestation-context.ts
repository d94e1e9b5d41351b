/** Where the JSON-LD context of attestations lies, below the service's own address. */
export const attestationContextPath = '/docs/contexts/attestation-v1'

const xsd = 'http://www.w3.org/2001/XMLSchema#'

/**
 * The context that `@context` of an attestation names (JSON-LD 1.1): each of its terms as an address of its own.
 *
 * @param baseUrl the service's own address, without a slash at its end
 */
export function attestationContext(baseUrl: string) {
  return {
    '@context': {
      '@version': 1.1,
      '@vocab': `${baseUrl}${attestationContextPath}#`,
      issuedAt: { '@type': `${xsd}dateTime` },
      url: { '@type': '@id' },
      publicKeyCertificate: { '@type': '@id' },
      originalSizeBytes: { '@type': `${xsd}integer` },
      normalizedSizeBytes: { '@type': `${xsd}integer` },
      processingTimeMs: { '@type': `${xsd}integer` },
      healthScore: { '@type': `${xsd}integer` },
      warningCount: { '@type': `${xsd}integer` },
      contentRemoved: { '@container': '@set' },
      structuralRepairs: { '@container': '@set' },
    },
  } as const
}
