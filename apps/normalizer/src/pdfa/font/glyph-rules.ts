import { RuleSet } from '../rule.ts'

/** A character code that text is shown with. */
export interface ShownGlyph {
  readonly code: number
  /** The name or the identifier says that there is no glyph for it. */
  readonly isUndefined: boolean
  /** What it stands for; null where nothing says it. */
  readonly text: string | null
  readonly hasActualText: boolean
}

const codeOf = ({ code }: { readonly code: number }): string => `code ${code}`

export const shownGlyphRules = new RuleSet<ShownGlyph>('glyph', [
  {
    clauses: { '2-3': '6.2.11.8 t1', '4': '6.2.10.9 t1' },
    description: 'Text does not show the glyph .notdef',
    holds: ({ isUndefined }) => !isUndefined,
    found: codeOf,
  },
  {
    clauses: { '1a': '6.3.8 t1', '2a 2u 3a 3u': '6.2.11.7.2 t1' },
    description: 'Every code that is shown can be mapped to Unicode',
    holds: ({ text }) => text !== null,
    found: codeOf,
  },
  {
    clauses: { '2a 2u 3a 3u': '6.2.11.7.2 t2', '4': '6.2.10.7 t1' },
    description: 'No code that is shown is mapped to U+0000, U+FEFF or U+FFFE',
    holds: ({ text }) => text === null || !hasForbiddenUnit(text),
    found: codeOf,
  },
  {
    clauses: { '2a 3a': '6.2.11.7.3 t1' },
    description:
      'What is mapped to a private use area has replacement text (/ActualText) around it',
    holds: ({ text, hasActualText }) => text === null || hasActualText || !isPrivate(text),
    found: codeOf,
  },
])

function hasForbiddenUnit(text: string): boolean {
  return text.includes('\0') || text.includes('\ufeff') || text.includes('\ufffe')
}

function isPrivate(text: string): boolean {
  return /\p{Co}/u.test(text)
}

/** A glyph that is rendered: in a mode other than 3. */
export interface RenderedGlyph {
  readonly code: number
  /** Whether the font program has it; null where no program says it. */
  readonly isPresent: boolean | null
  /** As of {@link ShownGlyph}: what is rendered then is no glyph of the character. */
  readonly isUndefined: boolean
  /** In thousandths of an em. */
  readonly programWidth: number | null
  /** As the font dictionary says. */
  readonly width: number | null
}

export const renderedGlyphRules = new RuleSet<RenderedGlyph>('glyph', [
  {
    clauses: { '1': '6.3.5 t1', '2-3': '6.2.11.4.1 t2', '4': '6.2.10.4.1 t2' },
    description: 'Embedded fonts have all glyphs that are rendered with them',
    holds: ({ isPresent }) => isPresent !== false,
    found: codeOf,
  },
  {
    // What 6.2.11.8 says of .notdef, for what is rendered.
    clauses: { '2-3': '6.2.11.4.1 t3', '4': '6.2.10.4.1 t3' },
    description: 'Embedded fonts define all glyphs that are rendered with them: none is .notdef',
    holds: ({ isUndefined }) => !isUndefined,
    found: codeOf,
  },
  {
    clauses: { '1': '6.3.6 t1', '2-3': '6.2.11.5 t1', '4': '6.2.10.5 t1' },
    description: 'Glyphs are as wide in the font dictionary as in the font program',
    holds: ({ programWidth, width }) =>
      programWidth === null || width === null || Math.abs(programWidth - width) <= 1,
    found: ({ code, programWidth, width }) =>
      `code ${code}, ${rounded(width)} in the dictionary, ${rounded(programWidth)} in the program`,
  },
])

/** A broken program has widths that are no numbers, such as those of an em of no units. */
function rounded(width: number | null): string {
  return width === null || !Number.isFinite(width)
    ? 'none'
    : String(Math.round(width * 1_000) / 1_000)
}
