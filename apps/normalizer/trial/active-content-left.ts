import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  type PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib'

export interface ExaminedOutput {
  /** What should have been removed, such as `12 0 R: action /Launch`. */
  readonly left: readonly string[]
  /** null where the library cannot count them. */
  readonly pages: number | null
}

/**
 * Looks for active content in a finished file with nothing of ours: another library reads it, front to back and whether
 * referenced or not, and the rules below are written out of ISO 32000-2 a second time.
 *
 * @throws when the other library cannot read the file
 */
export async function examineOutput(bytes: Uint8Array): Promise<ExaminedOutput> {
  const document = await PDFDocument.load(bytes, {
    updateMetadata: false,
    throwOnInvalidObject: true,
    parseSpeed: Infinity,
  })
  const left: string[] = []
  const objects = document.context.enumerateIndirectObjects()
  const namesOfTheDocument = keyedByDocument(objects, (value) => document.context.lookup(value))
  for (const [reference, object] of objects) {
    for (const [dictionary, isStream] of dictionariesIn(object)) {
      if (namesOfTheDocument.has(dictionary)) continue
      const resolve = (key: string): PDFObject | undefined => dictionary.lookup(PDFName.of(key))
      for (const what of found(dictionary, isStream, resolve))
        left.push(`${reference.tag}: ${what}`)
    }
  }
  return { left, pages: document.getPageCount() }
}

/** Keys of these dictionaries are words of the document, not of the format: a font may be called /AA. */
const keyedByName = new Set(
  (
    'Font XObject ExtGState ColorSpace Pattern Shading Properties Dests CharProcs Colorants ' +
    'RoleMap ClassMap'
  ).split(' '),
)

function keyedByDocument(
  objects: readonly (readonly [PDFRef, PDFObject])[],
  lookup: (value: PDFObject) => PDFObject | undefined,
): Set<PDFDict> {
  const named = new Set<PDFDict>()
  for (const [, object] of objects) {
    for (const [dictionary] of dictionariesIn(object)) {
      for (const [key, value] of dictionary.entries()) {
        const target = lookup(value)
        if (keyedByName.has(key.decodeText()) && target instanceof PDFDict) named.add(target)
      }
    }
  }
  return named
}

function dictionariesIn(object: PDFObject): [PDFDict, boolean][] {
  const all: [PDFDict, boolean][] = []
  const pending: PDFObject[] = [object]
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (value instanceof PDFStream) {
      all.push([value.dict, true])
      pending.push(...value.dict.values())
    } else if (value instanceof PDFDict) {
      all.push([value, false])
      pending.push(...value.values())
    } else if (value instanceof PDFArray) pending.push(...value.asArray())
  }
  return all
}

/** 12.6.4: action types that run, leave the document or show other media. */
const actions = new Set(
  (
    'JavaScript Launch GoToR GoToE SubmitForm ImportData ResetForm Rendition Movie Sound Hide ' +
    'GoTo3DView RichMediaExecute SetOCGState Trans GoToDp'
  ).split(' '),
)
/** 12.5.6. */
const annotations = new Set(
  'FileAttachment RichMedia 3D Movie Sound Screen Widget Projection'.split(' '),
)
/** What these hold runs, whatever form it has. */
const keys = new Set('JS XFA OnInstantiate RichMediaContent RichMediaSettings'.split(' '))
/** These are names of other things too, where their value is no dictionary. */
const dictionaryKeys = new Set(
  'JavaScript AA EmbeddedFiles EF RF AcroForm Collection OPI Renditions Requirements PresSteps'.split(
    ' ',
  ),
)

function* found(
  dictionary: PDFDict,
  isStream: boolean,
  resolve: (key: string) => PDFObject | undefined,
): Generator<string> {
  for (const key of dictionary.keys().map((name) => name.decodeText())) {
    const value = resolve(key)
    if (keys.has(key) && value !== undefined) yield `key /${key}`
    if (dictionaryKeys.has(key) && value instanceof PDFDict) yield `key /${key}`
    if (key === 'AF' && (value instanceof PDFDict || value instanceof PDFArray)) yield 'key /AF'
  }
  const openAction = resolve('OpenAction')
  if (openAction instanceof PDFDict && nameOf(openAction.lookup(PDFName.of('S'))) !== 'GoTo') {
    yield 'key /OpenAction'
  }
  const subtype = nameOf(resolve('Subtype'))
  if (!isStream && subtype !== null && annotations.has(subtype)) yield `annotation /${subtype}`
  if (isStream && nameOf(resolve('Type')) === 'EmbeddedFile') yield 'embedded file'

  const action = nameOf(resolve('S'))
  // 14.7.2: elements of the logical structure may be called like an action.
  const isElement =
    dictionary.has(PDFName.of('P')) &&
    ['K', 'Pg', 'A', 'Alt'].some((key) => dictionary.has(PDFName.of(key)))
  if (action !== null && actions.has(action) && !isElement) yield `action /${action}`
  const uri = resolve('URI')
  if (uri instanceof PDFString || uri instanceof PDFHexString) {
    // Browsers pass over control characters and white space in a scheme.
    // eslint-disable-next-line no-control-regex
    const address = uri.decodeText().replaceAll(/[\0-\x20]/g, '')
    if (/^(?:javascript|vbscript|data|file):|^\\\\/i.test(address)) yield 'address that runs'
  }
}

function nameOf(value: PDFObject | undefined): string | null {
  return value instanceof PDFName ? value.decodeText() : null
}
