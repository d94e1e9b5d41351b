import { PdfDictionary, PdfName, PdfReference, PdfStream, PdfString } from '../object.ts'
import type { PdfObject } from '../object.ts'

/**
 * An object in its canonical spelling, with the numbers of the objects that it refers to still open: the text is
 * `texts[0]`, the number of `references[0]`, `texts[1]`, and so on. One character stands for one byte (Latin-1).
 */
export interface Spelling {
  readonly texts: readonly string[]
  readonly references: readonly number[]
  /** For each key of the outermost dictionary: the first of `references` in it, and the one after its last. */
  readonly ranges: ReadonlyMap<string, readonly [number, number]> | null
}

/** What a spelling needs to know of the objects around it. */
export interface Surroundings {
  /** Identifies what is referred to; null if that is not written. */
  identify(target: PdfReference | PdfStream): number | null
  /** Whether this dictionary, which stands inside another object, is left out. */
  omits(dictionary: PdfDictionary): boolean
  /** Told of each dictionary that is written. */
  meet(dictionary: PdfDictionary): void
}

/**
 * The one canonical spelling of an object: keys in byte order, nothing but the spaces that tokens need. An entry
 * whose value is null, or refers to nothing, is left out (ISO 32000-2, 7.3.7: the same as an absent one); in an
 * array it stands as `null`.
 *
 * @param withRanges whether `ranges` is wanted
 * @throws {RangeError} when containers are nested deeper than `maximumNesting`
 */
export function spell(object: PdfObject, surroundings: Surroundings, withRanges = false): Spelling {
  const texts: string[] = []
  const references: number[] = []
  const ranges = withRanges ? new Map<string, readonly [number, number]>() : null
  let text = ''
  let endsRegular = false

  const stack: Frame[] = []
  const write = (value: PdfObject, name: string | null): void => {
    if (value instanceof PdfReference || value instanceof PdfStream) {
      const target = surroundings.identify(value)
      if (target !== null) {
        if (name !== null) text += name
        if (name !== null || endsRegular) text += ' '
        texts.push(text)
        references.push(target)
        text = ' 0 R'
        endsRegular = true
        return
      }
    } else if (value instanceof PdfDictionary) {
      if (stack.length === 0 || !surroundings.omits(value)) {
        text += name === null ? '<<' : `${name}<<`
        endsRegular = false
        surroundings.meet(value)
        stack.push(dictionaryFrame(value))
        return
      }
    } else if (Array.isArray(value)) {
      text += name === null ? '[' : `${name}[`
      endsRegular = false
      stack.push(arrayFrame(value))
      return
    } else if (value instanceof PdfName) {
      text += name === null ? serializeName(value.value) : name + serializeName(value.value)
      endsRegular = true
      return
    } else if (value instanceof PdfString) {
      text += name === null ? serializeString(value.bytes) : name + serializeString(value.bytes)
      endsRegular = false
      return
    } else if (value !== null) {
      const token = typeof value === 'number' ? serializeNumber(value) : `${value}`
      if (name !== null) text += `${name} ${token}`
      else text += endsRegular ? ` ${token}` : token
      endsRegular = true
      return
    }

    if (name !== null) return
    text += endsRegular ? ' null' : 'null'
    endsRegular = true
  }

  write(object, null)
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const { dictionary, keys, values } = frame
    if (ranges && stack.length === 1) noteRange(ranges, frame, references.length)
    if (dictionary) {
      const key = keys[frame.next]
      if (key !== undefined) {
        frame.next += 1
        write(dictionary.get(key) ?? null, serializeName(key))
        if (stack.length > maximumNesting) throw new RangeError('objects are nested too deeply')
        continue
      }
    } else if (frame.next < values.length) {
      frame.next += 1
      write(values[frame.next - 1] ?? null, null)
      if (stack.length > maximumNesting) throw new RangeError('objects are nested too deeply')
      continue
    }
    text += dictionary ? '>>' : ']'
    endsRegular = false
    stack.pop()
  }

  texts.push(text)
  return { texts, references, ranges }
}

/** The spelling with its references filled in. */
export function fillIn(
  { texts, references }: Spelling,
  numberOf: (target: number) => number,
): string {
  let text = texts[0] ?? ''
  for (let i = 0; i < references.length; i += 1) {
    text += numberOf(references[i] ?? 0)
    text += texts[i + 1] ?? ''
  }
  return text
}

/** Far beyond any parser's limit: it only ends what would never end. */
const maximumNesting = 100_000

/** 7.3.5: everything but regular characters as `#` and two upper-case hexadecimal digits. */
export function serializeName(value: string): string {
  const known = spelledNames.get(value)
  if (known !== undefined) return known
  const spelled = `/${value.replace(irregularCharacter, escapeCharacter)}`
  if (value.length <= longestRemembered) {
    if (spelledNames.size >= mostRemembered) spelledNames.clear()
    spelledNames.set(value, spelled)
  }
  return spelled
}

/** A few hundred names make up most of any document. */
const spelledNames = new Map<string, string>()
const longestRemembered = 32
const mostRemembered = 4_096

/** 7.3.3: shortest decimal form; no exponent, at most {@link decimals} decimals, zero without sign. */
export function serializeNumber(value: number): string {
  if (Number.isSafeInteger(value)) return `${value}`
  if (Number.isNaN(value)) throw new TypeError('not a number')
  if (Math.abs(value) >= largestNumber) return value < 0 ? `-${largestText}` : largestText

  // Once rounded, a value is its own rounding: reading and writing it again gives the same digits.
  const rounded = Math.abs(value) < 1e15 ? Number(value.toFixed(decimals)) : Math.trunc(value)
  if (rounded === 0) return '0'
  const text = `${rounded}`
  if (!text.includes('e')) return withoutLeadingZero(text)
  if (Math.abs(rounded) >= 1) return BigInt(rounded).toString()
  return withoutLeadingZero(rounded.toFixed(decimals).replace(/0+$/, ''))
}

/** 7.3.4: printable ASCII in parentheses, all else in hexadecimal, so that every reader and transport keeps it. */
export function serializeString(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString('latin1')
  if (!printable.test(text)) return `<${buffer.toString('hex')}>`
  return `(${text.replace(literalSpecial, '\\$&')})`
}

interface Frame {
  readonly dictionary: PdfDictionary | null
  readonly keys: readonly string[]
  readonly values: readonly PdfObject[]
  next: number
}

/** Enough for a 1/65536 step, and for what a double still holds beside a page's coordinates. */
const decimals = 10
/** Annex C.2: about the largest value of a single-precision real. */
const largestNumber = 3.403e38
const largestText = `3403${'0'.repeat(35)}`

const irregularCharacter = /[^!"$&'*-.0-;=?-Z\\^-z|~]/g
const printable = /^[\x20-\x7e]*$/
const literalSpecial = /[()\\]/g

function dictionaryFrame(dictionary: PdfDictionary): Frame {
  // Latin-1 strings compare as their bytes do.
  return { dictionary, keys: [...dictionary.keys()].sort(), values: [], next: 0 }
}

function arrayFrame(values: readonly PdfObject[]): Frame {
  return { dictionary: null, keys: [], values, next: 0 }
}

function noteRange(
  ranges: Map<string, readonly [number, number]>,
  { keys, next }: Frame,
  references: number,
): void {
  const done = keys[next - 1]
  if (done !== undefined) ranges.set(done, [ranges.get(done)?.[0] ?? references, references])
  const coming = keys[next]
  if (coming !== undefined) ranges.set(coming, [references, references])
}

function withoutLeadingZero(text: string): string {
  return text.replace(/^(-?)0\./, '$1.')
}

function escapeCharacter(character: string): string {
  return `#${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
