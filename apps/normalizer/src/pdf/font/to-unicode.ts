import { decodeStream } from '../filter/decode-stream.ts'
import { type PdfObject, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'

/** More would be a font that nothing was ever typed with. */
const maxMappings = 70_000

/**
 * Codes by the character that they stand for, out of a `/ToUnicode` CMap (ISO 32000-2, 9.10.3). Of several codes for
 * one character the first counts; codes that stand for several characters are left out.
 */
export function codesByCharacter(
  graph: ObjectGraph,
  toUnicode: PdfObject | undefined,
): Map<string, number> {
  const codes = new Map<string, number>()
  const map = graph.resolve(toUnicode)
  const bytes = map instanceof PdfStream ? decodeStream(graph, map) : null
  if (!bytes) return codes
  const add = (code: number, characters: string): void => {
    if (Array.from(characters).length !== 1 || codes.has(characters)) return
    if (codes.size < maxMappings) codes.set(characters, code)
  }

  const text = Buffer.from(bytes).toString('latin1')
  for (let at = text.indexOf('beginbf'); at >= 0; at = text.indexOf('beginbf', at)) {
    const end = text.indexOf('endbf', at)
    if (end < 0) break
    const items = text.slice(at, end).match(/<[^<>]*>|[[\]]/g) ?? []
    if (text.startsWith('beginbfrange', at)) addRanges(items, add)
    else {
      for (let item = 0; item + 1 < items.length; item += 2) {
        add(codeOf(items[item]), textOf(items[item + 1]))
      }
    }
    at = end
  }
  return codes
}

function addRanges(
  items: readonly string[],
  add: (code: number, characters: string) => void,
): void {
  let spent = 0
  for (let at = 0; at + 2 < items.length; at += 3) {
    const low = codeOf(items[at])
    const high = Math.min(codeOf(items[at + 1]), low + 0xffff)
    spent += Math.max(0, high - low)
    if (spent > maxMappings * 4) return
    if (items[at + 2] === '[') {
      let code = low
      for (at += 3; at < items.length && items[at] !== ']'; at++) add(code++, textOf(items[at]))
      at -= 2
      continue
    }
    const first = Buffer.from(hexIn(items[at + 2]), 'hex')
    if (first.length < 2) continue
    // The last byte counts up; writers count over it as well.
    const lastUnit = first.readUInt16BE(first.length - 2)
    for (let code = low; code <= high && lastUnit + code - low <= 0xffff; code++) {
      first.writeUInt16BE(lastUnit + code - low, first.length - 2)
      add(code, utf16(first))
    }
  }
}

function codeOf(item: string | undefined): number {
  const code = Number.parseInt(hexIn(item), 16)
  return Number.isNaN(code) ? 0 : code
}

function textOf(item: string | undefined): string {
  return utf16(Buffer.from(hexIn(item), 'hex'))
}

function hexIn(item = ''): string {
  return item.replace(/[^0-9a-f]/gi, '')
}

function utf16(bytes: Buffer): string {
  return new TextDecoder('utf-16be').decode(bytes)
}
