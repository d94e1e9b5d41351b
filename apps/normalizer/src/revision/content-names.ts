import { readContent } from '../pdf/content/content-stream.ts'
import { decodeStream } from '../pdf/filter/decode-stream.ts'
import { isName, type PdfDictionary, PdfName, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { ComparisonBudget } from './same-object.ts'

/**
 * The names that stand in the content of a document, be it of pages, forms, patterns or glyphs; null when some of it
 * cannot be read. A resource under another name is used by nothing.
 *
 * @throws {ComparisonBudgetError}
 */
export function contentNames(graph: ObjectGraph, budget: ComparisonBudget): Set<string> | null {
  const names = new Set(defaultColorSpaces)
  for (const number of graph.numbers()) {
    const stream = graph.get(number)
    if (!(stream instanceof PdfStream) || isOtherData(stream.dictionary)) continue
    const content = decodeStream(graph, stream)
    if (content === null) return null
    budget.chargeTokens(content.length)
    readContent(content, (_, operands) => {
      for (const operand of operands) {
        if (operand instanceof PdfName) names.add(operand.value)
        // Of inline images, the colour space.
        else if (operand instanceof PdfStream) {
          for (const value of operand.dictionary.values())
            for (const part of Array.isArray(value) ? value : [value])
              if (part instanceof PdfName) names.add(part.value)
        }
      }
    })
  }
  return names
}

/** They stand in for the device colour spaces, which content names by operators (ISO 32000-2, 8.6.5.6). */
const defaultColorSpaces = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK']

/** Streams that say of themselves that they are no content; content need not say what it is. */
function isOtherData(dictionary: PdfDictionary): boolean {
  if (otherKeys.some((key) => dictionary.has(key))) return true
  if (otherTypes.some((type) => isName(dictionary.get('Type'), type))) return true
  return otherSubtypes.some((subtype) => isName(dictionary.get('Subtype'), subtype))
}

/** Of functions, shadings, font programs, character maps and colour profiles. */
const otherKeys = ['FunctionType', 'ShadingType', 'Length1', 'CMapName', 'N']
const otherTypes = ['XRef', 'ObjStm', 'Metadata', 'EmbeddedFile']
const otherSubtypes = ['Image', 'XML', 'Type1C', 'CIDFontType0C', 'OpenType']
