/**
 * Glyph indexes by Unicode code point, out of the `cmap` table of a TrueType or OpenType font program (ISO/IEC 14496-22,
 * 5.2.1). null where the program has no such table for Unicode, or it cannot be read.
 */
export function glyphLookup(program: Uint8Array): ((codePoint: number) => number | null) | null {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength)
  try {
    const table = tableOffset(view, 'cmap')
    const subtable = table === null ? null : unicodeSubtable(view, table)
    if (subtable === null) return null
    const format = view.getUint16(subtable)
    const find = format === 12 ? groupGlyph : segmentGlyph
    return (codePoint) => {
      try {
        return find(view, subtable, codePoint) || null
      } catch {
        // The table points past the end of the program.
        return null
      }
    }
  } catch {
    return null
  }
}

function tableOffset(view: DataView, tag: string): number | null {
  const wanted = Buffer.from(tag, 'latin1').readUInt32BE()
  const count = view.getUint16(4)
  for (let index = 0; index < count; index++) {
    const entry = 12 + index * 16
    if (view.getUint32(entry) === wanted) return view.getUint32(entry + 8)
  }
  return null
}

/** The richest of those for Unicode: platform 3 with encoding 10 or 1, platform 0; in format 12 or 4. */
function unicodeSubtable(view: DataView, table: number): number | null {
  const count = view.getUint16(table + 2)
  let best: number | null = null
  for (let index = 0; index < count; index++) {
    const entry = table + 4 + index * 8
    const platform = view.getUint16(entry)
    const encoding = view.getUint16(entry + 2)
    if (platform !== 0 && !(platform === 3 && (encoding === 1 || encoding === 10))) continue
    const offset = table + view.getUint32(entry + 4)
    const format = view.getUint16(offset)
    if (format === 12) return offset
    if (format === 4) best = offset
  }
  return best
}

/** Format 4: segments of the basic plane, in ascending order of their ends. */
function segmentGlyph(view: DataView, subtable: number, codePoint: number): number {
  if (codePoint > 0xffff) return 0
  const doubled = view.getUint16(subtable + 6)
  const ends = subtable + 14
  const starts = ends + doubled + 2
  const deltas = starts + doubled
  const offsets = deltas + doubled
  for (let at = 0; at < doubled; at += 2) {
    if (view.getUint16(ends + at) < codePoint) continue
    const start = view.getUint16(starts + at)
    if (start > codePoint) return 0
    const delta = view.getUint16(deltas + at)
    const offset = view.getUint16(offsets + at)
    if (offset === 0) return (codePoint + delta) & 0xffff
    const glyph = view.getUint16(offsets + at + offset + 2 * (codePoint - start))
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
  return 0
}

/** Format 12: groups of code points, in ascending order. */
function groupGlyph(view: DataView, subtable: number, codePoint: number): number {
  let low = 0
  let high = view.getUint32(subtable + 12) - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const group = subtable + 16 + middle * 12
    if (codePoint < view.getUint32(group)) high = middle - 1
    else if (codePoint > view.getUint32(group + 4)) low = middle + 1
    else return view.getUint32(group + 8) + codePoint - view.getUint32(group)
  }
  return 0
}
