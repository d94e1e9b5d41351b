import { type FontFacts, isSubsetName } from './pdf/font-resource.ts'

/** The text of a NON_EMBEDDED_FONT warning. @param object such as `object 9 0`; null for a font without a number */
export function fontWarning({ name, type }: FontFacts, object: string | null): string {
  const place = object === null ? type : `${type}, ${object}`
  const reason = isSubsetName(name) ? ', although its name says that a subset of it is' : ''
  return `Font "${name}" (${place}) is not embedded${reason}`
}

/** The font that such a text names; null for another text. */
export function warnedFontName(message: string): string | null {
  return /^Font "(.*)" \([^()]*\) is not embedded/s.exec(message)?.[1] ?? null
}
