/** The name of a character in the Adobe Glyph List: of Latin letters with accents and the usual signs. */
export function glyphName(char: string): string {
  const named = glyphNames[char]
  if (named !== undefined) return named
  const [letter = '', accent = '', ...rest] = char.normalize('NFD')
  const accentName = accentNames[accent]
  if (accent === '') return /^[A-Za-z]$/.test(letter) ? letter : unicodeName(char)
  if (accentName === undefined || rest.length > 0) return unicodeName(char)
  return `${letter}${accentName}`
}

function unicodeName(char: string): string {
  return `uni${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

const accentNames: Readonly<Partial<Record<string, string>>> = {
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u0302': 'circumflex',
  '\u0303': 'tilde',
  '\u0304': 'macron',
  '\u0306': 'breve',
  '\u0307': 'dotaccent',
  '\u0308': 'dieresis',
  '\u030a': 'ring',
  '\u030b': 'hungarumlaut',
  '\u030c': 'caron',
  '\u0327': 'cedilla',
  '\u0328': 'ogonek',
}

const glyphNames: Readonly<Partial<Record<string, string>>> = Object.fromEntries(
  (
    '! exclam " quotedbl # numbersign $ dollar % percent & ampersand \' quotesingle ( parenleft ' +
    ') parenright * asterisk + plus , comma - hyphen . period / slash 0 zero 1 one 2 two 3 three 4 four ' +
    '5 five 6 six 7 seven 8 eight 9 nine : colon ; semicolon < less = equal > greater ? question @ at ' +
    '[ bracketleft \\ backslash ] bracketright ^ asciicircum _ underscore ` grave { braceleft | bar ' +
    '} braceright ~ asciitilde \u20ac Euro \u2022 bullet \u2013 endash \u2014 emdash \u2026 ellipsis ' +
    '\u2018 quoteleft \u2019 quoteright \u201c quotedblleft \u201d quotedblright \u201a quotesinglbase ' +
    '\u201e quotedblbase \u2039 guilsinglleft \u203a guilsinglright \u00ab guillemotleft ' +
    '\u00bb guillemotright \u2122 trademark \u00a9 copyright \u00ae registered \u00b0 degree ' +
    '\u00b1 plusminus \u00b5 mu \u00b7 periodcentered \u00a7 section \u00b6 paragraph \u00a3 sterling ' +
    '\u00a5 yen \u00a2 cent \u00df germandbls \u00e6 ae \u00c6 AE \u00f8 oslash \u00d8 Oslash \u0153 oe ' +
    '\u0152 OE \u0142 lslash \u0141 Lslash \u00f0 eth \u00d0 Eth \u00fe thorn \u00de Thorn ' +
    '\u0131 dotlessi \u2020 dagger \u2021 daggerdbl \u2212 minus \u00d7 multiply \u00f7 divide'
  )
    .split(' ')
    .reduce<[string, string][]>(
      (pairs, word, index, words) => {
        if (index % 2 === 1) pairs.push([words[index - 1] ?? '', word])
        return pairs
      },
      [[' ', 'space']],
    ),
)
