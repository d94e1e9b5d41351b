import { z } from 'zod'

/**
 * Text that a client names a thing with and that comes back as it was sent: PostgreSQL keeps no U+0000, and a
 * surrogate without its other half has no UTF-8.
 */
export function storedText<Text extends z.ZodType<string>>(text: Text): Text {
  return text.check(
    z.regex(withoutNul, 'must not hold the character U+0000'),
    z.refine((value) => value.isWellFormed(), 'must be well-formed Unicode'),
  )
}

// oxlint-disable-next-line no-control-regex -- the character is what is looked for
const withoutNul = /^[^\x00]*$/

/**
 * Stored text that goes into headings, mails and their headers: it is one line, without control characters and without
 * the separators of lines and paragraphs (U+2028, U+2029).
 */
export function storedLine<Text extends z.ZodType<string>>(text: Text): Text {
  return text.check(
    z.regex(oneLine, 'must be one line without control characters'),
    z.refine((value) => value.isWellFormed(), 'must be well-formed Unicode'),
  )
}

// oxlint-disable-next-line no-control-regex -- the characters are what is looked for
const oneLine = /^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$/
