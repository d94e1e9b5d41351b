import type { PdfaClaim } from '../pdf/metadata/pdfa-claim.ts'

/** A part of ISO 19005 with its conformance level, as validators are asked for it. */
export type Flavour = (typeof flavours)[number]

export const flavours = ['1a', '1b', '2a', '2b', '2u', '3a', '3b', '3u', '4', '4e', '4f'] as const

export type Part = PdfaClaim['part']

export const specifications: Readonly<Record<Part, string>> = {
  1: 'ISO 19005-1:2005',
  2: 'ISO 19005-2:2011',
  3: 'ISO 19005-3:2012',
  4: 'ISO 19005-4:2020',
}

export function partOf(flavour: Flavour): Part {
  return Number(flavour[0]) as Part
}

/** What a claim is held against. A claim without a level that its part knows is held against the lowest. */
export function flavourOfClaim({ part, level }: PdfaClaim): Flavour {
  return flavours.find((flavour) => flavour === level) ?? lowestLevel[part]
}

const lowestLevel: Readonly<Record<Part, Flavour>> = { 1: '1b', 2: '2b', 3: '3b', 4: '4' }
