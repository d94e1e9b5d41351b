import { isRegular, isWhiteSpace } from '../reading/character-set.ts'
import { Lexer, Token } from '../reading/lexer.ts'
import { PdfDictionary, type PdfObject, PdfStream, PdfString } from '../object.ts'

/**
 * Called for each operator with its operands (ISO 32000-2, 7.8.2). The array is emptied afterwards: keep what is in it, not
 * it. An inline image comes as `EI` with one stream (8.9.7).
 */
export type ContentVisitor = (operator: string, operands: readonly PdfObject[]) => void

/** No operator takes as many; what stands before them is passed over. */
const maxOperands = 4096
/** Arrays and dictionaries within each other; deeper ones are read as if they were flat. */
const maxDepth = 64

/**
 * Splits a content stream into operators and operands. Never throws for what is in it: what follows no grammar is passed over, as
 * viewers do. Takes time in proportion to the bytes and no call depth.
 */
export function readContent(bytes: Uint8Array, visit: ContentVisitor): void {
  const lexer = new Lexer(bytes)
  const open: (PdfObject[] | PdfDictionary)[] = []
  const operands: PdfObject[] = []
  let key: string | null = null
  const keys: (string | null)[] = []

  const put = (value: PdfObject): void => {
    const container = open.at(-1)
    if (container === undefined) {
      if (operands.length >= maxOperands) operands.length = 0
      operands.push(value)
    } else if (Array.isArray(container)) container.push(value)
    else if (key !== null) {
      container.set(key, value)
      key = null
    }
  }
  const enter = (container: PdfObject[] | PdfDictionary): void => {
    if (open.length >= maxDepth) return
    open.push(container)
    keys.push(key)
    key = null
  }
  const leave = (): void => {
    const container = open.pop()
    key = keys.pop() ?? null
    if (container !== undefined) put(container)
  }

  for (;;) {
    switch (lexer.next()) {
      case Token.end:
        return
      case Token.number:
        put(lexer.number)
        break
      case Token.string:
        put(new PdfString(lexer.string))
        break
      case Token.name:
        if (open.at(-1) instanceof PdfDictionary && key === null) key = lexer.name.value
        else put(lexer.name)
        break
      case Token.arrayOpen:
        enter([])
        break
      case Token.dictionaryOpen:
        enter(new PdfDictionary())
        break
      case Token.arrayClose:
        if (Array.isArray(open.at(-1))) leave()
        break
      case Token.dictionaryClose:
        while (Array.isArray(open.at(-1))) leave()
        leave()
        break
      case Token.keyword: {
        const { keyword } = lexer
        if (keyword === 'true' || keyword === 'false') put(keyword === 'true')
        else if (keyword === 'null') put(null)
        else if (lexer.position > lexer.tokenStart + 1 || isRegular(bytes[lexer.tokenStart])) {
          // An operator ends whatever was left open.
          while (open.length > 0) leave()
          const operator = operatorName(bytes, lexer.tokenStart, lexer.position)
          if (operator === 'BI') visit('EI', [readInlineImage(lexer)])
          else visit(operator, operands)
          operands.length = 0
        }
      }
    }
  }
}

/** Operators have at most three characters: one string for each, made once. */
const operatorNames = new Map<number, string>()

function operatorName(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > 3)
    return Buffer.from(bytes.subarray(start, Math.min(end, start + 32))).toString('latin1')
  let code = 0
  for (let at = start; at < end; at++) code = code * 256 + (bytes[at] ?? 0)
  const known = operatorNames.get(code)
  if (known !== undefined) return known
  const name = Buffer.from(bytes.subarray(start, end)).toString('latin1')
  if (operatorNames.size < 512) operatorNames.set(code, name)
  return name
}

/** The inline image (8.9.7) whose `BI` the lexer has just read; the lexer stands behind its `EI` afterwards. */
export function readInlineImage(lexer: Lexer): PdfStream {
  const dictionary = inlineDictionary(lexer)
  // One white-space character follows ID.
  const start = Math.min(lexer.position + 1, lexer.end)
  const end = inlineDataEnd(lexer.bytes, start)
  lexer.position = end.next
  return new PdfStream(dictionary, lexer.bytes.subarray(start, end.data))
}

/** Keys and values up to `ID`; values are names, numbers, strings, booleans and flat arrays or dictionaries of them. */
function inlineDictionary(lexer: Lexer): PdfDictionary {
  const dictionary = new PdfDictionary()
  let key: string | null = null
  let list: PdfObject[] | null = null
  for (;;) {
    const token = lexer.next()
    let value: PdfObject
    switch (token) {
      case Token.end:
        return dictionary
      case Token.keyword:
        if (operatorName(lexer.bytes, lexer.tokenStart, lexer.position) === 'ID') return dictionary
        value = lexer.keyword === 'true'
        break
      case Token.name:
        if (key === null) {
          key = lexer.name.value
          continue
        }
        value = lexer.name
        break
      case Token.number:
        value = lexer.number
        break
      case Token.string:
        value = new PdfString(lexer.string)
        break
      case Token.arrayOpen:
        list ??= []
        continue
      case Token.arrayClose:
        if (list === null) continue
        value = list
        list = null
        break
      default:
        continue
    }
    if (list !== null) list.push(value)
    else if (key !== null) {
      dictionary.set(key, value)
      key = null
    }
  }
}

/** The first `EI` between white space behind which text follows that a content stream may hold. */
function inlineDataEnd(bytes: Uint8Array, start: number): { data: number; next: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = buffer.indexOf('EI', start); at !== -1; at = buffer.indexOf('EI', at + 1)) {
    const opens = at === start || isWhiteSpace(bytes[at - 1])
    const closes = at + 2 >= bytes.length || isWhiteSpace(bytes[at + 2])
    if (opens && closes && isText(bytes, at + 2))
      return { data: Math.max(start, at - 1), next: at + 2 }
  }
  return { data: bytes.length, next: bytes.length }
}

function isText(bytes: Uint8Array, start: number): boolean {
  const end = Math.min(bytes.length, start + 16)
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    const printable = byte >= 0x20 && byte <= 0x7e
    if (!printable && !isWhiteSpace(byte)) return false
  }
  return true
}
