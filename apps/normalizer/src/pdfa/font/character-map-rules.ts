import { RuleSet } from '../rule.ts'

/** `/CIDSystemInfo` (ISO 32000-2, 9.7.3). */
export interface CharacterCollection {
  readonly registry: string | null
  readonly ordering: string | null
  readonly supplement: number | null
}

/** A composite font's CIDFont, and the CMap that leads to its characters. */
export interface CompositeFontFacts {
  readonly mapName: string | null
  readonly font: CharacterCollection
  /** null where nothing says it. */
  readonly map: CharacterCollection | null
}

export const compositeFontRules = new RuleSet<CompositeFontFacts>('composite font', [
  {
    clauses: { '1': '6.3.3.1 t1' },
    description:
      'The CMap and the CIDFont of a composite font are of the same character collection',
    holds: (facts) => isIdentity(facts.mapName) || isSameCollection(facts),
  },
  {
    clauses: { '2-3': '6.2.11.3.1 t1', '4': '6.2.10.3.1 t1' },
    description:
      'The CMap and the CIDFont of a composite font are of the same character collection, the CIDFont of no later supplement',
    holds: (facts) =>
      isIdentity(facts.mapName) ||
      (isSameCollection(facts) &&
        (facts.font.supplement ?? Number.NaN) <= (facts.map?.supplement ?? Number.NaN)),
  },
])

function isSameCollection({ font, map }: CompositeFontFacts): boolean {
  return (
    map !== null &&
    font.registry !== null &&
    font.ordering !== null &&
    font.registry === map.registry &&
    font.ordering === map.ordering
  )
}

export function isIdentity(name: string | null): boolean {
  return name === 'Identity-H' || name === 'Identity-V'
}

/** The encoding of a composite font, or a map that it uses. */
export interface CharacterMapFacts {
  readonly name: string | null
  readonly isEmbedded: boolean
  /** One of those that every reader has (ISO 32000-2, table 116). */
  readonly isPredefined: boolean
}

export const characterMapRules = new RuleSet<CharacterMapFacts>('CMap', [
  {
    clauses: { '1': '6.3.3.3 t1' },
    description: 'CMaps are embedded, except for Identity-H and Identity-V',
    holds: ({ name, isEmbedded }) => isIdentity(name) || isEmbedded,
    found: ({ name }) => name ?? 'none',
  },
  {
    clauses: { '2-3': '6.2.11.3.3 t1', '4': '6.2.10.3.3 t1' },
    description: 'CMaps are embedded, except for those that every reader has',
    holds: ({ isPredefined, isEmbedded }) => isPredefined || isEmbedded,
    found: ({ name }) => name ?? 'none',
  },
])

export const referencedMapRules = new RuleSet<CharacterMapFacts>('CMap', [
  {
    clauses: { '2-3': '6.2.11.3.3 t3', '4': '6.2.10.3.3 t3' },
    description: 'CMaps build on none but those that every reader has',
    holds: ({ isPredefined }) => isPredefined,
    found: ({ name }) => name ?? 'one without a name',
  },
])

export interface EmbeddedMapFacts {
  /** As the stream's dictionary says, and as the map itself says. */
  readonly statedMode: number
  readonly writingMode: number
  readonly highestIdentifier: number
}

export const embeddedMapRules = new RuleSet<EmbeddedMapFacts>('CMap', [
  {
    clauses: { '1': '6.3.3.3 t2', '2-3': '6.2.11.3.3 t2', '4': '6.2.10.3.3 t2' },
    description: 'The dictionary of an embedded CMap has the writing mode of the CMap itself',
    holds: ({ statedMode, writingMode }) => statedMode === writingMode,
    found: ({ statedMode, writingMode }) =>
      `${statedMode} in the dictionary, ${writingMode} in the CMap`,
  },
  {
    clauses: { '1': '6.1.12 t10', '2-3': '6.1.13 t10' },
    description: 'CMaps have no character identifier above 65,535',
    holds: ({ highestIdentifier }) => highestIdentifier <= 65_535,
    found: ({ highestIdentifier }) => `${highestIdentifier}`,
  },
])
