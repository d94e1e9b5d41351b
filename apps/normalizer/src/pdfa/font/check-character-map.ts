import { readCharacterCodeMap } from '../../pdf/font/character-code-map.ts'
import { fontStream } from '../../pdf/font/font-stream.ts'
import { type PdfObject, PdfReference, PdfStream } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import {
  type CharacterMapFacts,
  characterMapRules,
  embeddedMapRules,
  referencedMapRules,
} from './character-map-rules.ts'
import type { FontContext } from './font-context.ts'
import { nameAt, numberAt } from './font-entries.ts'
import { isPredefinedMap } from './predefined-character-maps.ts'

/** Maps that build on each other; no writer chains more. */
const maxChain = 8

/** The `/Encoding` of a composite font, and the maps that it builds on (ISO 32000-2, 9.7.5). */
export function checkCharacterMap(
  context: FontContext,
  encoding: PdfObject | undefined,
  holder: Place,
): void {
  const { graph, validation } = context
  let next = encoding
  for (let depth = 0; depth < maxChain; depth++) {
    const map = graph.resolve(next)
    if (map === null && depth > 0) return
    const place = next instanceof PdfReference ? { ...holder, object: next } : holder
    const facts = factsOf(context, map)
    validation.check(characterMapRules, facts, place)
    if (depth > 0) validation.check(referencedMapRules, facts, place)
    if (!(map instanceof PdfStream)) return
    checkEmbedded(context, map, place)
    next = map.dictionary.get('UseCMap')
  }
}

function factsOf({ graph }: FontContext, map: PdfObject): CharacterMapFacts {
  const isEmbedded = map instanceof PdfStream
  const name = nameAt(graph, isEmbedded ? map.dictionary.get('CMapName') : map)
  return { name, isEmbedded, isPredefined: name !== null && isPredefinedMap(name) }
}

function checkEmbedded({ graph, validation }: FontContext, map: PdfStream, place: Place): void {
  const bytes = fontStream(graph, map)
  if (bytes === null) return
  const { writingMode, identifiers } = readCharacterCodeMap(bytes)
  let highestIdentifier = 0
  for (const { low, high, first } of identifiers.entries()) {
    highestIdentifier = Math.max(highestIdentifier, first + high - low)
  }
  const statedMode = numberAt(graph, map.dictionary.get('WMode')) ?? 0
  validation.check(embeddedMapRules, { statedMode, writingMode, highestIdentifier }, place)
}
