/** The standard 14 fonts (ISO 32000-2, 9.6.2.2). */
export type StandardFont =
  | 'Courier'
  | 'Courier-Bold'
  | 'Courier-Oblique'
  | 'Courier-BoldOblique'
  | 'Helvetica'
  | 'Helvetica-Bold'
  | 'Helvetica-Oblique'
  | 'Helvetica-BoldOblique'
  | 'Times-Roman'
  | 'Times-Bold'
  | 'Times-Italic'
  | 'Times-BoldItalic'
  | 'Symbol'
  | 'ZapfDingbats'

/** By the name of the font or by the short names that forms use for the standard ones. */
export function standardFor(name: string): StandardFont {
  const plain = name.replace(/^[A-Z]{6}\+/, '')
  const isBold = /bold|black|heavy|bo$|bi$/i.test(plain)
  const isItalic = /ital|obli|it$|bi$|ob$/i.test(plain)
  const pick = <T>(regular: T, bold: T, italic: T, both: T): T => {
    if (isBold) return isItalic ? both : bold
    return isItalic ? italic : regular
  }
  if (/^(zapf|zadb|dingbats)/i.test(plain)) return 'ZapfDingbats'
  if (/^co(ur|bo|it|bi|ob)|mono/i.test(plain)) {
    return pick('Courier', 'Courier-Bold', 'Courier-Oblique', 'Courier-BoldOblique')
  }
  if (/^ti(mes|ro|bo|it|bi)|serif|garamond|georgia|roman/i.test(plain) && !/sans/i.test(plain)) {
    return pick('Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic')
  }
  return pick('Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique')
}
