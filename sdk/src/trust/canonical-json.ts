/** Deeper than any attestation. */
const deepest = 32

/**
 * A value as RFC 8785 canonical JSON. Names are sorted by UTF-16 code units, as `sort` does, and what ECMAScript
 * writes for a text or a number is what the RFC demands (3.2.2).
 *
 * @throws {RangeError} when it is nested deeper than 32 levels
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (depth > deepest) throw new RangeError('nested too deeply')
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item, depth + 1)).join()}]`
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, depth + 1)}`)
  return `{${members.join()}}`
}
