import { createHash, type Hash } from 'node:crypto'
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
  readContent(joined(parts), (operator, operands) => {
    for (const operand of operands) addOperand(hash, operand)
    hash.update(`${operator}\n`)
  })
  return hash.digest('base64')
}

/** 7.8.2: the streams of a page are one, with white space between them. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return first
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]))
}

function addOperand(hash: Hash, operand: PdfObject): void {
  const pending: (PdfObject | string)[] = [operand]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') hash.update(next)
    else if (next instanceof PdfName) hash.update(`/${next.value} `)
    else if (next instanceof PdfString) hash.update(`(${next.bytes.length}:`).update(next.bytes)
    else if (Array.isArray(next)) pending.push(']', ...next.toReversed(), '[')
    else if (next instanceof PdfDictionary) pending.push('>>', ...entriesOf(next), '<<')
    else if (next instanceof PdfStream) {
      pending.push(new PdfString(next.data), next.dictionary)
    } else if (!(next instanceof PdfReference)) hash.update(`${next} `)
  }
}

function entriesOf(dictionary: PdfDictionary): PdfObject[] {
  return [...dictionary.keys()]
    .toSorted()
    .flatMap((key) => [dictionary.get(key) ?? null, new PdfName(key)])
}
