import { createHash } from 'node:crypto'
import { readContent } from '../pdf/content/content-stream.ts'
import {
  PdfDictionary,
  PdfName,
  type PdfObject,
  PdfReference,
  PdfStream,
  PdfString,
} from '../pdf/object.ts'

/** A digest of content streams as a list of operators and operands: white space, comments and notation do not count. */
export function contentDigest(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  let tokens = ''
  readContent(joined(parts), (operator, operands) => {
    for (const operand of operands) tokens += operandText(operand)
    tokens += `${operator}\n`
    if (tokens.length < chunkLength) return
    hash.update(tokens, 'latin1')
    tokens = ''
  })
  return hash.update(tokens, 'latin1').digest('base64')
}

/** Whether a content paints no more than paths: no text, whatever font it is in, no image, form or shading. */
export function paintsPathsOnly(content: Uint8Array): boolean {
  let onlyPaths = true
  readContent(content, (operator, operands) => {
    if (operator === 'Do' || operator === 'EI' || operator === 'sh') onlyPaths = false
    else if (textOperators.has(operator) && operands.some(holdsText)) onlyPaths = false
  })
  return onlyPaths
}

const textOperators: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"'])

function holdsText(operand: PdfObject): boolean {
  const parts = Array.isArray(operand) ? operand : [operand]
  return parts.some((part) => part instanceof PdfString && part.bytes.length > 0)
}

/** Many short updates of a hash take longer than all else. */
const chunkLength = 64 * 1024

/** 7.8.2: the streams of a page are one, with white space between them. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return first
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]))
}

function operandText(operand: PdfObject): string {
  if (typeof operand === 'number') return `${operand} `
  if (operand instanceof PdfName) return nameText(operand)
  if (operand instanceof PdfString) return stringText(operand)
  let text = ''
  const pending: (PdfObject | typeof arrayEnd | typeof dictionaryEnd)[] = [operand]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === arrayEnd || next === dictionaryEnd) text += next.description ?? ''
    else if (typeof next === 'symbol') continue
    else if (next instanceof PdfName) text += nameText(next)
    else if (next instanceof PdfString) text += stringText(next)
    else if (Array.isArray(next)) {
      text += '['
      pending.push(arrayEnd, ...next.toReversed())
    } else if (next instanceof PdfDictionary) {
      text += '<<'
      pending.push(dictionaryEnd, ...entriesOf(next))
    } else if (next instanceof PdfStream) {
      pending.push(new PdfString(next.data), next.dictionary)
    } else if (!(next instanceof PdfReference)) text += `${next} `
  }
  return text
}

const arrayEnd = Symbol(']')
const dictionaryEnd = Symbol('>>')

function nameText({ value }: PdfName): string {
  return `/${value} `
}

/** The length first, so that no string can be taken for what follows it. */
function stringText({ bytes }: PdfString): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return `(${bytes.length}:${text}`
}

/** Keys in order, for a stack. */
function entriesOf(dictionary: PdfDictionary): PdfObject[] {
  return [...dictionary.keys()]
    .toSorted()
    .flatMap((key) => [dictionary.get(key) ?? null, new PdfName(key)])
}
