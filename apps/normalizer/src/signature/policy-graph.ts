import { certificatePolicies, policyLimits, policyMappings } from './certificate-extension.ts'
import type { Certificate } from './certificate.ts'
import { sameName } from './distinguished-name.ts'

const anyPolicy = '2.5.29.32.0'

/**
 * Whether a path has a policy where its certificates ask for one (RFC 5280, 6.1.2 to 6.1.5); any policy will do. Kept as
 * a graph with one node for each policy and depth (RFC 9618): the tree of RFC 5280 grows without bound under mappings.
 *
 * @param path from the one that the anchor issued to the signer's
 * @throws {MalformedAsn1Error}
 */
export function policiesAllow(path: readonly Certificate[]): boolean {
  const { length } = path
  let [explicitPolicy, policyMapping, inhibitAny] = [length + 1, length + 1, length + 1]
  /** Policies that the next certificate is expected to name; null when no policy is left. */
  let expected: ReadonlySet<string> | null = new Set([anyPolicy])

  for (const [index, certificate] of path.entries()) {
    const isLast = index === length - 1
    const selfIssued = isSelfIssued(certificate)
    const anyCounts = inhibitAny > 0 || (!isLast && selfIssued)
    expected = policiesAt(certificate, expected, anyCounts)
    if (explicitPolicy === 0 && expected === null) return false

    const limits = policyLimits(certificate)
    if (isLast) {
      if (explicitPolicy > 0) explicitPolicy--
      if (limits.explicitPolicy === 0) explicitPolicy = 0
      break
    }
    const mapped = mappedPolicies(certificate, expected, policyMapping > 0)
    if (mapped === 'invalid') return false
    expected = mapped
    if (!selfIssued) {
      explicitPolicy = Math.max(0, explicitPolicy - 1)
      policyMapping = Math.max(0, policyMapping - 1)
      inhibitAny = Math.max(0, inhibitAny - 1)
    }
    explicitPolicy = Math.min(explicitPolicy, limits.explicitPolicy ?? Infinity)
    policyMapping = Math.min(policyMapping, limits.policyMapping ?? Infinity)
    inhibitAny = Math.min(inhibitAny, limits.anyPolicy ?? Infinity)
  }
  return explicitPolicy > 0 || expected !== null
}

/** Issued to itself, to change a key or a policy; does not count towards lengths (6.1). */
export function isSelfIssued({ subject, issuer }: Certificate): boolean {
  return sameName(subject, issuer)
}

/** 6.1.3, d and e. */
function policiesAt(
  certificate: Certificate,
  expected: ReadonlySet<string> | null,
  anyCounts: boolean,
): ReadonlySet<string> | null {
  const stated = certificatePolicies(certificate)
  if (stated === null || expected === null) return null
  const valid = new Set<string>()
  for (const policy of stated) {
    if (policy !== anyPolicy && (expected.has(policy) || expected.has(anyPolicy))) valid.add(policy)
  }
  if (anyCounts && stated.includes(anyPolicy)) for (const policy of expected) valid.add(policy)
  return valid.size === 0 ? null : valid
}

/** 6.1.4, a and b. */
function mappedPolicies(
  certificate: Certificate,
  valid: ReadonlySet<string> | null,
  mappingAllowed: boolean,
): ReadonlySet<string> | null | 'invalid' {
  const mappings = policyMappings(certificate)
  if (mappings.some((pair) => pair.includes(anyPolicy))) return 'invalid'
  if (valid === null || mappings.length === 0) return valid

  const next = new Set(valid)
  for (const [issuers] of mappings) next.delete(issuers)
  if (mappingAllowed) {
    for (const [issuers, subjects] of mappings) {
      if (valid.has(issuers) || valid.has(anyPolicy)) next.add(subjects)
    }
  }
  return next.size === 0 ? null : next
}
