import { type ContentScanner, Operand } from '../../pdf/content/content-scanner.ts'
import { PdfDictionary, PdfString } from '../../pdf/object.ts'

/** Strings and numbers that stand directly in a property list within the content. */
export function inlineProperties(scanner: ContentScanner): PdfDictionary | null {
  if (scanner.kind(1) !== Operand.dictionaryOpen) return null
  const properties = new PdfDictionary()
  let depth = 0
  let key: string | null = null
  for (let index = 1; index < scanner.count; index++) {
    const kind = scanner.kind(index)
    if (kind === Operand.dictionaryClose || kind === Operand.arrayClose) depth--
    if (depth === 1) {
      if (key === null) key = scanner.name(index)?.value ?? null
      else {
        if (kind === Operand.number) properties.set(key, scanner.number(index))
        else if (kind === Operand.string) {
          const start = scanner.stringStart(index)
          const bytes = scanner.stringBytes(index).slice(start, scanner.stringEnd(index))
          properties.set(key, new PdfString(bytes))
        }
        if (kind !== Operand.dictionaryOpen && kind !== Operand.arrayOpen) key = null
      }
    }
    if (kind === Operand.dictionaryOpen || kind === Operand.arrayOpen) depth++
  }
  return properties
}
