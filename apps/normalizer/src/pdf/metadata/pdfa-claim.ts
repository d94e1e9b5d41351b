import { findXmpProperty, type XmpProperty, xmpNamespaces, xmpText } from './xmp.ts'

/** What a document claims to be (ISO 19005-1, 6.7.11; ISO 19005-4, 6.7.3). */
export interface PdfaClaim {
  readonly part: 1 | 2 | 3 | 4
  /** Part and lower-case conformance: `1a 1b 2a 2b 2u 3a 3b 3u 4 4e 4f`; the part alone if the conformance is none of its. */
  readonly level: string
}

const conformances: Readonly<Record<PdfaClaim['part'], readonly string[]>> = {
  1: ['a', 'b'],
  2: ['a', 'b', 'u'],
  3: ['a', 'b', 'u'],
  4: ['e', 'f'],
}

/** The claim in the metadata; null when there is none. Any part from 1 to 4 is a claim, whatever else is wrong. */
export function pdfaClaim(properties: readonly XmpProperty[]): PdfaClaim | null {
  const part = Number(claimText(properties, 'part'))
  if (part !== 1 && part !== 2 && part !== 3 && part !== 4) return null
  const conformance = claimText(properties, 'conformance').toLowerCase()
  const known = conformances[part].includes(conformance)
  return { part, level: known ? `${part}${conformance}` : `${part}` }
}

/** The properties that make the claim, as they are kept: the part is a digit, the level a capital letter (ISO 19005-1, 6.7.11). */
export function pdfaClaimProperties(properties: readonly XmpProperty[]): XmpProperty[] {
  return ['part', 'conformance', 'rev', 'amd', 'corr'].flatMap((name) => {
    const given = claimText(properties, name)
    const text = spellings[name]?.(given) ?? given
    if (text === '') return []
    const value = { kind: 'text', text, language: null } as const
    return [{ namespace: xmpNamespaces.pdfaid, name, value }]
  })
}

const spellings: Readonly<Record<string, (text: string) => string>> = {
  part: (text) => String(Number(text)),
  conformance: (text) => text.toUpperCase(),
}

function claimText(properties: readonly XmpProperty[], name: string): string {
  return (xmpText(findXmpProperty(properties, xmpNamespaces.pdfaid, name)) ?? '').trim()
}
