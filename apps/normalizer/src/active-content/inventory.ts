/**
 * What active content is, as data (trust, sections 5.1 and 5.2). The walk over the object graph and the second scan
 * of the output both read this inventory and share nothing else.
 */

/** The boolean of SecurityInfo that a find sets; `other` is removed too and sets none. */
export type ActiveContentKind =
  | 'javascript'
  | 'openAction'
  | 'launch'
  | 'embeddedFile'
  | 'richMedia'
  | 'other'

export const kindWords: Record<ActiveContentKind, string> = {
  javascript: 'JavaScript',
  openAction: 'actions that run by themselves',
  launch: 'actions that leave the document',
  embeddedFile: 'embedded or external files',
  richMedia: 'rich media',
  other: 'other interactive content',
}

/**
 * Dictionary keys that are removed wherever they stand. `shape` tells them from other uses of the same key:
 * the value, or what it refers to, has to be of this shape.
 */
export const forbiddenKeys: ReadonlyMap<string, ForbiddenKey> = new Map<string, ForbiddenKey>([
  // ISO 32000-2, 12.6.4.17: also in rendition actions (12.6.4.14).
  ['JS', { kind: 'javascript', shape: 'any' }],
  // 7.7.4: the name tree of document scripts; FDF's dictionary of the same name.
  ['JavaScript', { kind: 'javascript', shape: 'dictionary' }],
  // 13.6.3, table 311: script of a 3D stream.
  ['OnInstantiate', { kind: 'javascript', shape: 'any' }],
  // 12.6.3: catalog, page, annotation and field triggers.
  ['AA', { kind: 'openAction', shape: 'dictionary' }],
  // 7.7.4, 7.11.4. In usage rights (12.8.2.3) EF is an array of names.
  ['EmbeddedFiles', { kind: 'embeddedFile', shape: 'dictionary' }],
  ['EF', { kind: 'embeddedFile', shape: 'dictionary' }],
  ['RF', { kind: 'embeddedFile', shape: 'dictionary' }],
  // 14.13: associated files of any object.
  ['AF', { kind: 'embeddedFile', shape: 'dictionary or array' }],
  // 12.3.5: portfolios.
  ['Collection', { kind: 'embeddedFile', shape: 'dictionary' }],
  // 14.11.7 of ISO 32000-1: names a file to be printed instead.
  ['OPI', { kind: 'embeddedFile', shape: 'dictionary' }],
  // 14.11.5, table 402: a colour profile of another file, which readers fetch.
  ['DestOutputProfileRef', { kind: 'embeddedFile', shape: 'dictionary' }],
  // 8.10.4: a form XObject that shows a page of another file. In structure elements Ref is an array.
  ['Ref', { kind: 'embeddedFile', shape: 'dictionary' }],
  // 13.7, 13.2, 13.5.
  ['RichMediaContent', { kind: 'richMedia', shape: 'any' }],
  ['RichMediaSettings', { kind: 'richMedia', shape: 'any' }],
  ['Renditions', { kind: 'richMedia', shape: 'dictionary' }],
  ['AlternatePresentations', { kind: 'richMedia', shape: 'dictionary' }],
  // 12.4.4.2: navigation nodes with actions of their own.
  ['PresSteps', { kind: 'other', shape: 'dictionary' }],
  // 12.6.4.8: the base of relative URIs in the catalog. In a URI action it is a string.
  ['URI', { kind: 'other', shape: 'dictionary' }],
  // 14.10: commands that fetch pages of the web anew, with what they send.
  ['SpiderInfo', { kind: 'other', shape: 'dictionary' }],
  // 12.11: conditions and their handlers; with EnableJavaScripts it counts as JavaScript.
  ['Requirements', { kind: 'other', shape: 'dictionary or array' }],
  // Annex K: an array of packets or one stream; with scripts inside it counts as JavaScript.
  ['XFA', { kind: 'other', shape: 'any' }],
])

export interface ForbiddenKey {
  readonly kind: ActiveContentKind
  readonly shape: 'any' | 'dictionary' | 'dictionary or array'
}

/**
 * What becomes of an action by its `/S` (12.6.4). `kept` stays, `Thread`, `URI` and `Named` depend on what
 * else they say, all others go. A type that is not listed goes as `other` where an action can sit.
 */
export const actionTypes: ReadonlyMap<string, ActiveContentKind | 'kept' | 'judged'> = new Map<
  string,
  ActiveContentKind | 'kept' | 'judged'
>([
  ['GoTo', 'kept'],
  ['GoToDp', 'kept'],
  ['Thread', 'judged'],
  ['URI', 'judged'],
  ['Named', 'judged'],
  ['JavaScript', 'javascript'],
  ['Launch', 'launch'],
  ['GoToR', 'launch'],
  ['GoToE', 'launch'],
  ['SubmitForm', 'launch'],
  ['ImportData', 'launch'],
  ['ResetForm', 'launch'],
  ['Rendition', 'richMedia'],
  ['Movie', 'richMedia'],
  ['Sound', 'richMedia'],
  ['GoTo3DView', 'richMedia'],
  ['RichMediaExecute', 'richMedia'],
  ['Trans', 'richMedia'],
  ['Hide', 'other'],
  ['SetOCGState', 'other'],
])

/** Keys whose value is an action (12.6.2, 12.4.4.2); `/A` of a structure element holds attributes instead. */
export const actionPositions: ReadonlySet<string> = new Set(['A', 'PA', 'NA', 'Next', 'OpenAction'])

/** What actions act on: a dictionary with one of these is no structure element whose type is called like an action. */
export const actionOperands = ['JS', 'F', 'Win', 'Mac', 'Unix', 'URI', 'Next', 'OP', 'AN'] as const

/** Named actions (12.6.4.12) that only turn pages. */
export const pageMoves: ReadonlySet<string> = new Set([
  'NextPage',
  'PrevPage',
  'FirstPage',
  'LastPage',
])

/** Annotations (12.5.6, 13) that go as a whole. */
export const forbiddenAnnotations: ReadonlyMap<string, ActiveContentKind> = new Map<
  string,
  ActiveContentKind
>([
  ['FileAttachment', 'embeddedFile'],
  ['RichMedia', 'richMedia'],
  ['3D', 'richMedia'],
  ['Movie', 'richMedia'],
  ['Sound', 'richMedia'],
  ['Screen', 'richMedia'],
  ['Projection', 'richMedia'],
])

/**
 * Keys whose value is a dictionary that the document keys as it likes: a font may be called `/AA`. What stands
 * under such a key is not judged by its keys, unless it is also referred to from elsewhere.
 */
export const nameKeyedDictionaries: ReadonlySet<string> = new Set([
  'Font',
  'XObject',
  'ExtGState',
  'ColorSpace',
  'Pattern',
  'Shading',
  'Properties',
  'CharProcs',
  'RoleMap',
  'ClassMap',
  'Colorants',
  'Dests',
])

export type UriVerdict = 'kept' | 'javascript' | 'launch'

/**
 * What following a URI would do: `kept` for the web, mail and telephone, `javascript` for code, `launch` for
 * files, network shares and programs that have registered a scheme of their own. A reader that undoes `%xx` before it
 * looks for the scheme is thought of.
 */
export function judgeUri(uri: string): UriVerdict {
  const verdict = judgePlain(uri)
  if (verdict !== 'kept' || !uri.includes('%')) return verdict
  const undone = uri.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return judgePlain(undone)
}

function judgePlain(uri: string): UriVerdict {
  // Browsers drop control characters and white space inside a scheme (WHATWG URL, 4.4); so has the judge.
  const plain = uri.replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, '')
  if (/^[\\/]{2}/.test(plain)) return 'launch'
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(plain)?.[1]?.toLowerCase()
  // Without a scheme it is relative, such as `www.example.org`. One letter is a drive.
  if (scheme === undefined) {
    // Markup for readers that write addresses into a page of their own; no URI has these characters (RFC 3986).
    if (/[<>"]/.test(plain)) return 'javascript'
    return plain.includes('\\') ? 'launch' : 'kept'
  }
  if (keptSchemes.has(scheme)) return 'kept'
  // `example.org:8080/path` reads like a scheme and is a host.
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+:\d+(\/|$)/i.test(plain)) return 'kept'
  return codeSchemes.has(scheme) ? 'javascript' : 'launch'
}

const keptSchemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel', 'ftp', 'ftps'])
const codeSchemes: ReadonlySet<string> = new Set([
  'javascript',
  'jscript',
  'livescript',
  'vbscript',
  'data',
])
