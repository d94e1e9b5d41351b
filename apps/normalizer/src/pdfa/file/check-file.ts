import type { CrossReferenceSection } from '../../pdf/pdf-file.ts'
import { PdfDictionary, PdfName, type PdfObject, PdfStream } from '../../pdf/object.ts'
import { isDigit, skipEndOfLine } from '../../pdf/reading/character-set.ts'
import { readObjectHeader } from '../../pdf/reading/indirect-object.ts'
import { type Place, wholeFile } from '../failures.ts'
import type { Validation } from '../validation.ts'
import { type CrossReferenceFacts, crossReferenceRules } from './cross-reference-rules.ts'
import { directObjectRules } from './direct-object-rules.ts'
import { documentFacts } from './document-facts.ts'
import { documentRules } from './document-rules.ts'
import { filterRules, indirectObjectRules, streamRules } from './indirect-object-rules.ts'

/**
 * What ISO 19005 asks of the bytes: header, trailers, cross-reference sections, the spelling and limits of objects. All
 * live objects are judged, whether anything leads to them or not; what was superseded is not.
 */
export function checkFile(validation: Validation): void {
  const { file } = validation
  validation.check(documentRules, documentFacts(file), wholeFile)
  for (const section of file.sections) {
    if (section.kind !== 'table') continue
    validation.check(crossReferenceRules, crossReferenceFacts(file.bytes, section), wholeFile)
  }
  checkSpelling(validation, file.sections[0]?.oddities ?? 0, wholeFile)
  for (const number of file.graph.numbers()) checkIndirectObject(validation, number)
  checkMisplacedObjects(validation)
}

/** An entry that leads into the middle of an object's number finds another number there, and no end-of-line before it. */
function checkMisplacedObjects(validation: Validation): void {
  const { bytes, repairs } = validation.file
  for (const { number, entry } of repairs.mismatchedEntries) {
    if (entry.kind !== 'offset' || !isDigit(bytes[entry.offset - 1])) continue
    const header = readObjectHeader(bytes, entry.offset)
    if (header?.start !== entry.offset) continue
    const place: Place = { object: { number, generation: header.generation }, page: null }
    const lexical = { objectSpacing: false, endobjSpacing: true, stream: null }
    validation.check(indirectObjectRules, lexical, place)
  }
}

/** @param oddities of a direct object, as bits of `Oddity` */
function checkSpelling(validation: Validation, oddities: number, place: Place): void {
  if (oddities !== 0) validation.check(directObjectRules, { oddities }, place)
}

function crossReferenceFacts(
  bytes: Uint8Array,
  { offset, spacedSubsections }: CrossReferenceSection,
): CrossReferenceFacts {
  const keywordEnd = offset + 'xref'.length
  const next = skipEndOfLine(bytes, keywordEnd)
  return { keywordSpacing: next > keywordEnd && isDigit(bytes[next]), spacedSubsections }
}

function checkIndirectObject(validation: Validation, number: number): void {
  const { file, graph } = validation
  const place: Place = { object: { number, generation: graph.generation(number) }, page: null }
  checkSpelling(validation, file.odditiesOf(number), place)

  const lexical = file.lexicalFacts(number)
  if (lexical === null) return
  validation.check(indirectObjectRules, lexical, place)

  const object = graph.get(number)
  if (!(object instanceof PdfStream)) return
  const { dictionary } = object
  const length = graph.resolve(dictionary.get('Length'))
  const streamFacts = {
    declaredLength: typeof length === 'number' ? length : null,
    spelling: lexical.stream,
    externalKey:
      ['F', 'FFilter', 'FDecodeParms'].find((key) => graph.resolve(dictionary.get(key)) !== null) ??
      null,
  }
  validation.check(streamRules, streamFacts, place)
  checkFilters(validation, dictionary, place)
}

function checkFilters(validation: Validation, dictionary: PdfDictionary, place: Place): void {
  const { graph } = validation
  const filters = graph.resolve(dictionary.get('Filter'))
  const parameters = graph.resolve(dictionary.get('DecodeParms'))
  for (const [index, filter] of (Array.isArray(filters) ? filters : [filters]).entries()) {
    const name = graph.resolve(filter)
    if (!(name instanceof PdfName)) continue
    const own = Array.isArray(parameters) ? graph.resolve(parameters[index]) : parameters
    const facts = { name: name.value, isIdentity: isIdentity(validation, own) }
    validation.check(filterRules, facts, place)
  }
}

function isIdentity({ graph }: Validation, parameters: PdfObject): boolean {
  if (!(parameters instanceof PdfDictionary)) return true
  const name = graph.resolve(parameters.get('Name'))
  return name instanceof PdfName && name.value === 'Identity'
}
