/** Longer than the clear-text part of any Type 1 program. */
const maxClearText = 256 * 1024

/**
 * Glyph names by code as the encoding vector of a Type 1 program has them (Adobe Type 1 Font Format, 2.2);
 * `standard` where it says StandardEncoding, null where there is none.
 */
export function type1Encoding(
  program: Uint8Array,
): ReadonlyMap<number, string> | 'standard' | null {
  const start = Math.min(program.length, maxClearText)
  const all = Buffer.from(program.buffer, program.byteOffset, start).toString('latin1')
  const encrypted = all.indexOf('eexec')
  const text = encrypted < 0 ? all : all.slice(0, encrypted)
  const at = text.indexOf('/Encoding')
  if (at < 0) return null
  const vector = text.slice(at + '/Encoding'.length)
  if (/^\s*StandardEncoding\b/.test(vector)) return 'standard'

  const names = new Map<number, string>()
  const entries = /dup\s+(?:(8|16)#)?([0-9A-Fa-f]+)\s*\/([^\s/[\]{}()<>%]+)\s+put|\bdef\b/g
  for (const [entry, radix, digits = '', name = ''] of vector.matchAll(entries)) {
    // The array's own `def` ends the vector; before the first entry there may be one of a loop.
    if (entry === 'def') {
      if (names.size > 0) break
      continue
    }
    const code = Number.parseInt(digits, radix === undefined ? 10 : Number(radix))
    if (code >= 0 && code < 256) names.set(code, name)
  }
  return names
}
