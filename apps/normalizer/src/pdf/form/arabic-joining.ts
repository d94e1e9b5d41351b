/**
 * A line in logical order with the letters of the Arabic script in the forms in which they join their neighbours
 * (Unicode, 9.2), as far as the fonts have these; lam and alef become one. Fonts of forms are set code by code, without
 * the tables that would join for them.
 *
 * @param has whether some font has the character
 */
export function joinedArabic(line: string, has: (char: string) => boolean): string {
  if (!arabicLetter.test(line)) return line
  const characters = Array.from(line)
  const joined: string[] = []
  let before = false
  for (let index = 0; index < characters.length; index++) {
    const char = characters[index] ?? ''
    if (isTransparent(char)) {
      joined.push(char)
      continue
    }
    const ligature = formsOf(char + (characters[index + 1] ?? ''))
    const [alone, final] = ligature
    const pair = before ? final : alone
    if (pair !== undefined && has(pair)) {
      joined.push(pair)
      index++
      before = false
      continue
    }
    const form = formOf(char, before, reachesBack(characters, index + 1))
    joined.push(form !== undefined && has(form) ? form : char)
    before = reachesOn(char)
  }
  return joined.join('')
}

const arabicLetter = /\p{Script=Arabic}/u

/** A letter that joins on both sides has four forms, one that joins what stands before it has two. */
function formOf(char: string, before: boolean, after: boolean): string | undefined {
  const [alone, final, initial, medial] = formsOf(char)
  const joinsOn = after && initial !== undefined
  if (before) return joinsOn ? medial : (final ?? alone)
  return joinsOn ? initial : alone
}

/** Whether the letter joins what follows. */
function reachesOn(char: string): boolean {
  return joinsAlways.has(char) || formsOf(char)[2] !== undefined
}

/** Whether what follows joins what stands before it. */
function reachesBack(characters: readonly string[], from: number): boolean {
  const next = characters.slice(from, from + maxMarks).find((char) => !isTransparent(char))
  return next !== undefined && (joinsAlways.has(next) || formsOf(next)[1] !== undefined)
}

/** Marks on one letter; more are no writing. */
const maxMarks = 16

/** Tatweel and the zero width joiner. */
const joinsAlways: ReadonlySet<string> = new Set(['\u0640', '\u200d'])

function isTransparent(char: string): boolean {
  return char !== '\u200c' && char !== '\u200d' && /[\p{Mn}\p{Me}\p{Cf}]/u.test(char)
}

/** Alone, at the end, at the beginning and in the middle of a word, as far as the letter has them. */
function formsOf(letters: string): readonly string[] {
  presentationForms ??= readPresentationForms()
  return presentationForms.get(letters) ?? []
}

let presentationForms: ReadonlyMap<string, readonly string[]> | null = null

/**
 * Arabic Presentation Forms A and B have the forms of each letter one after another, in the order alone, final, initial,
 * medial, and each decomposes to its letter. Only of the ligatures lam with alef are the forms wanted.
 */
function readPresentationForms(): Map<string, string[]> {
  const forms = new Map<string, string[]>()
  for (const [first, last] of presentationBlocks) {
    for (let code = first; code <= last; code++) {
      const form = String.fromCodePoint(code)
      const letters = form.normalize('NFKC')
      if (letters === form) continue
      const known = forms.get(letters)
      if (known) known.push(form)
      else forms.set(letters, [form])
    }
  }
  return forms
}

const presentationBlocks = [
  [0xfb50, 0xfbb1],
  [0xfbd3, 0xfbe7],
  [0xfbfc, 0xfbff],
  [0xfe80, 0xfefc],
] as const
