import { type FontFacts, fontFacts, isSubsetName } from '../pdf/font/font-resource.ts'
import { fontUse } from '../pdf/font/font-use.ts'
import { MAX_OBJECT_NUMBER, type PdfDictionary } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { Stage } from '../stage.ts'

/**
 * Which fonts show glyphs without having their program in the file (trust, section 6). Results `all_embedded`,
 * `missing_<n>`, `no_fonts`.
 */
export const fontResourceValidation: Stage = {
  name: 'FontResourceValidation',

  run({ file, findings }) {
    const { graph } = file
    const use = fontUse(graph)
    if (use.fonts.length === 0) return 'no_fonts'

    const facts = new Map<PdfDictionary, FontFacts>()
    for (const { dictionary } of use.fonts) facts.set(dictionary, fontFacts(graph, dictionary))
    const missing = use.showing((font) => facts.get(font)?.embedded === false)
    if (missing.length === 0) return 'all_embedded'

    findings.validation.nonEmbeddedFontsDetected = true
    for (const { dictionary, objectNumber } of missing.toSorted(byObjectNumber)) {
      const described = facts.get(dictionary)
      if (!described) continue
      findings.missingFonts.push(described.name)
      findings.warn('NON_EMBEDDED_FONT', message(described, placeOf(graph, objectNumber)))
    }
    return `missing_${missing.length}`
  },
}

/** null for a font that is no object of the original: a direct one, or one of an appearance that was generated. */
function placeOf(graph: ObjectGraph, objectNumber: number | null): string | null {
  if (objectNumber === null || objectNumber > MAX_OBJECT_NUMBER) return null
  return `object ${objectNumber} ${graph.generation(objectNumber)}`
}

function message({ name, type }: FontFacts, place: string | null): string {
  const described = place === null ? type : `${type}, ${place}`
  const reason = isSubsetName(name) ? ', although its name says that a subset of it is' : ''
  return `Font "${name}" (${described}) is not embedded${reason}`
}

function byObjectNumber(
  a: { objectNumber: number | null },
  b: { objectNumber: number | null },
): number {
  const [first, second] = [a, b].map((font) => font.objectNumber ?? Number.MAX_SAFE_INTEGER)
  return (first ?? 0) - (second ?? 0)
}
