import { readFileSync } from 'node:fs'

/**
 * The text that a glyph's name stands for: by the Adobe Glyph List, or as the name itself says (Adobe Glyph List
 * Specification, section 2): `uni0041`, `u1F600`, `f_i`, `A.swash`. null for names that mean nothing outside their
 * font.
 *
 * @param isDingbats ZapfDingbats has names of its own
 */
export function textOfGlyphName(name: string, isDingbats = false): string | null {
  const known = texts.get(name)
  if (known !== undefined) return known
  const own = isDingbats ? dingbats().get(name) : undefined
  const text = own ?? textOfParts(name)
  if (texts.size < maxKept && !isDingbats) texts.set(name, text)
  return text
}

/** As the Adobe Glyph List itself has the name; null for all that names can say beyond it. */
export function listedGlyphText(name: string): string | null {
  return adobeGlyphs().get(name) ?? null
}

/** As the list of names of ZapfDingbats has it. */
export function listedDingbatText(name: string): string | null {
  return dingbats().get(name) ?? null
}

/** Names that have been looked up: documents come back to the same few. */
const texts = new Map<string, string | null>()
const maxKept = 4096
/** No name that means something is as long. */
const maxNameLength = 256

function textOfParts(name: string): string | null {
  if (name.length > maxNameLength) return null
  const [base = ''] = name.split('.', 1)
  const parts = base.split('_').map(textOfPart)
  const text = parts.join('')
  return text === '' || parts.includes(null) ? null : text
}

function textOfPart(part: string): string | null {
  const listed = adobeGlyphs().get(part)
  if (listed !== undefined) return listed
  const [, units] = /^uni((?:[0-9A-F]{4})+)$/i.exec(part) ?? []
  if (units !== undefined) {
    const codes = (units.match(/.{4}/g) ?? []).map((digits) => Number.parseInt(digits, 16))
    return codes.some(isSurrogate) ? null : String.fromCharCode(...codes)
  }
  const [, digits] = /^u([0-9A-F]{4,6})$/i.exec(part) ?? []
  const code = digits === undefined ? Number.NaN : Number.parseInt(digits, 16)
  return code <= 0x10ffff && !isSurrogate(code) ? String.fromCodePoint(code) : null
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}

const adobeGlyphs = glyphList('adobe-glyph-list.txt')
const dingbats = glyphList('zapf-dingbats-glyph-list.txt')

function glyphList(file: string): () => ReadonlyMap<string, string> {
  let list: ReadonlyMap<string, string> | null = null
  return () => (list ??= readGlyphList(file))
}

function readGlyphList(file: string): ReadonlyMap<string, string> {
  const lines = readFileSync(new URL(`./data/${file}`, import.meta.url), 'latin1').split('\n')
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const space = line.indexOf(' ')
        const code = Number.parseInt(line.slice(space + 1), 16)
        return [line.slice(0, space), String.fromCodePoint(code)]
      }),
  )
}
