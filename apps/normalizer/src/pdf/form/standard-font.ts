import { StandardFonts } from 'pdf-lib'

/** By the name of the font or by the short names that forms use for the standard ones. */
export function standardFor(name: string): StandardFonts {
  const plain = name.replace(/^[A-Z]{6}\+/, '')
  const isBold = /bold|black|heavy|bo$|bi$/i.test(plain)
  const isItalic = /ital|obli|it$|bi$|ob$/i.test(plain)
  const pick = <T>(regular: T, bold: T, italic: T, both: T): T => {
    if (isBold) return isItalic ? both : bold
    return isItalic ? italic : regular
  }
  const { ZapfDingbats, ...faces } = StandardFonts
  if (/^(zapf|zadb|dingbats)/i.test(plain)) return ZapfDingbats
  if (/^co(ur|bo|it|bi|ob)|mono/i.test(plain)) {
    return pick(faces.Courier, faces.CourierBold, faces.CourierOblique, faces.CourierBoldOblique)
  }
  if (/^ti(mes|ro|bo|it|bi)|serif|garamond|georgia|roman/i.test(plain) && !/sans/i.test(plain)) {
    return pick(
      faces.TimesRoman,
      faces.TimesRomanBold,
      faces.TimesRomanItalic,
      faces.TimesRomanBoldItalic,
    )
  }
  return pick(
    faces.Helvetica,
    faces.HelveticaBold,
    faces.HelveticaOblique,
    faces.HelveticaBoldOblique,
  )
}
