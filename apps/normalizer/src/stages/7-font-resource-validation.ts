import { fontWarning } from '../font-warning.ts'
import { type FontFacts, fontFacts } from '../pdf/font-resource.ts'
import { fontUse } from '../pdf/font-use.ts'
import type { PdfDictionary } from '../pdf/object.ts'
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
      const place =
        objectNumber === null ? null : `object ${objectNumber} ${graph.generation(objectNumber)}`
      const described = facts.get(dictionary)
      if (described) findings.warn('NON_EMBEDDED_FONT', fontWarning(described, place))
    }
    return `missing_${missing.length}`
  },
}

function byObjectNumber(
  a: { objectNumber: number | null },
  b: { objectNumber: number | null },
): number {
  const [first, second] = [a, b].map((font) => font.objectNumber ?? Number.MAX_SAFE_INTEGER)
  return (first ?? 0) - (second ?? 0)
}
