/** Numbers at borders, unfinished and misplaced syntax, deep nesting. */
export const oddTokens: readonly string[] = [
  ...words('0 -1 1e9 2147483648 4294967296 +-+1 null true obj endobj stream endstream R xref'),
  ...words('trailer %%EOF % BT << >> [ ] ( ) < > { } / /# /#00 (\\ <4'),
  '\0',
  '9'.repeat(30),
  '0.'.repeat(9),
  ...['[', '<<', '<</A ', '(', 'q '].map((opening) => opening.repeat(3_000)),
]

/** Words of the format that change what a dictionary is. */
export const oddNames: readonly string[] = [
  ...words('/Kids /Parent /Contents /Resources /Type /Subtype /Length /Filter /DecodeParms /Root'),
  ...words(
    '/FlateDecode /LZWDecode /ObjStm /XRef /Encrypt /Prev /Annots /Widget /AcroForm /Fields',
  ),
  ...words('/AP /N /AA /OpenAction /JS /S /JavaScript /Launch /Names /EmbeddedFiles /Metadata'),
  ...words('/Extends /Sig /V'),
]

function words(text: string): string[] {
  return text.split(' ')
}
