import {
  actionOperands,
  actionPositions,
  actionTypes,
  type ActiveContentKind,
  forbiddenAnnotations,
  type ForbiddenKey,
  forbiddenKeys,
  judgeUri,
  nameKeyedDictionaries,
  pageMoves,
  type UriVerdict,
} from './inventory.ts'
import { KeptFilesInScan } from './kept-files-in-scan.ts'
import { decodeForScan, ScanBudget } from './scan-filter.ts'
import { hasFilterElsewhere, mayBeOfFilter, scanFiltersOf } from './scan-filters-of.ts'
import {
  type ScanListener,
  type ScannedDictionary,
  type ScannedValue,
  scanSyntax,
  stringBytes,
} from './scan-syntax.ts'

/** Something that the policy says must be gone and that the finished file still holds. */
export interface ActiveContentHit {
  /** `form` is an interactive form or one of its widgets. */
  readonly kind: ActiveContentKind | 'form'
  /** In the words of the file format, such as `key /JS` or `action /Launch`; never document text. */
  readonly what: string
  /** The number of the object that holds it; null in a trailer. */
  readonly object: number | null
}

/**
 * Reads the finished bytes once more, from scratch: neither the parser nor the object graph nor the writer is
 * asked. Every object of the file and of its object streams is tokenized, with `#xx` decoded in names, whether
 * anything refers to it or not. Of other streams those are tokenized that decode to syntax which could hold a suspect.
 *
 * @param keptFiles SHA-256 of the data of embedded files that may be there; no other file may, and these in no other place
 *   than those of associated files
 * @throws {PipelineStop} RESOURCE_LIMIT_EXCEEDED when the streams expand too far to be looked into
 */
export function scanOutput(
  bytes: Uint8Array,
  keptFiles: ReadonlySet<string> = new Set(),
): ActiveContentHit[] {
  const scan = new Scan(new ScanBudget(bytes.length), keptFiles)
  scanSyntax(bytes, null, scan)
  return scan.hits()
}

class Scan implements ScanListener {
  readonly #values = new Map<number, ObjectFacts>()
  readonly #suspects: ScannedDictionary[] = []
  readonly #byName = new Set<number>()
  readonly #otherwise = new Set<number>()
  readonly #asAction = new Set<number>()
  readonly #hits: ActiveContentHit[] = []
  /** Streams whose filters stand in objects that may not have come yet. */
  readonly #postponed: (() => void)[] = []
  readonly #budget: ScanBudget
  readonly #kept: KeptFilesInScan

  constructor(budget: ScanBudget, keptFiles: ReadonlySet<string>) {
    this.#budget = budget
    this.#kept = new KeptFilesInScan(keptFiles)
  }

  dictionary(dictionary: ScannedDictionary): void {
    if (isSuspect(dictionary)) this.#suspects.push(dictionary)
  }

  reference(number: number, under: string | null, inArray: boolean): void {
    if (under !== null && !inArray && nameKeyedDictionaries.has(under)) this.#byName.add(number)
    else this.#otherwise.add(number)
    if (under !== null && actionPositions.has(under)) this.#asAction.add(number)
  }

  object(number: number, value: ScannedValue): void {
    const isStream = this.#values.get(number)?.type === 'stream'
    if (!isStream) this.#values.set(number, factsOf(value))
  }

  stream(number: number, dictionary: ScannedDictionary, data: Uint8Array): void {
    this.#values.set(number, streamFacts(dictionary))
    if (this.#mayBeKept(dictionary)) {
      if (this.#kept.meetsFile(number, this.#decoded(dictionary, data))) return
    }
    this.#judgeStream(dictionary)
    const look = (): void => this.#lookInto(number, dictionary, data)
    if (hasFilterElsewhere(dictionary)) this.#postponed.push(look)
    else look()
  }

  #mayBeKept(dictionary: ScannedDictionary): boolean {
    if (!this.#kept.isAwaited || !isEmbeddedFile(dictionary)) return false
    return !dictionary.entries.has('F') && !hasFilterElsewhere(dictionary)
  }

  hits(): ActiveContentHit[] {
    for (const look of this.#postponed) look()
    for (const suspect of this.#suspects) this.#kept.meetsSpecification(suspect)
    return [...this.#hits, ...this.#suspects.flatMap((suspect) => this.#judge(suspect))]
  }

  #lookInto(number: number, dictionary: ScannedDictionary, data: Uint8Array): void {
    const type = nameIn(dictionary, 'Type')
    if (type === 'ObjStm') this.#scanObjectStream(number, dictionary, data)
    else if (type !== 'XRef' && type !== 'Metadata' && !isImageOrFont(dictionary)) {
      this.#scanContent(dictionary, data)
    }
  }

  #decoded({ entries }: ScannedDictionary, data: Uint8Array): Uint8Array | null {
    const filters = scanFiltersOf(entries, (value) =>
      value?.type === 'reference' ? this.#values.get(value.number)?.ofFilter : value,
    )
    return decodeForScan(data, filters, this.#budget)
  }

  #scanObjectStream(number: number, dictionary: ScannedDictionary, data: Uint8Array): void {
    const decoded = this.#decoded(dictionary, data)
    const first = dictionary.entries.get('First')
    if (!decoded || first?.type !== 'number') {
      this.#hits.push({ kind: 'other', what: 'object stream that cannot be read', object: number })
      return
    }
    const header = Buffer.from(decoded.subarray(0, first.value)).toString('latin1').trim()
    const pairs = header === '' ? [] : header.split(/\s+/).map(Number)
    for (let index = 0; index + 1 < pairs.length; index += 2) {
      const start = first.value + (pairs[index + 1] ?? 0)
      const end = first.value + (pairs[index + 3] ?? decoded.length)
      scanSyntax(decoded.subarray(start, end), pairs[index] ?? null, this)
    }
  }

  /** Property lists in content are dictionaries too; a look for the letters first keeps this cheap. */
  #scanContent(dictionary: ScannedDictionary, data: Uint8Array): void {
    const decoded = this.#decoded(dictionary, data)
    if (!decoded) return
    const content = Buffer.from(decoded.buffer, decoded.byteOffset, decoded.length)
    if (!content.includes('<<') || !mayHoldSuspect(content)) return
    scanSyntax(decoded, null, {
      dictionary: (inside) => {
        // What stands in an object there, is a file within the data and no property list.
        if (inside.object === null) this.dictionary({ ...inside, object: dictionary.object })
      },
      reference: () => {},
      object: () => {},
      stream: () => {},
    })
  }

  #judgeStream({ entries, object }: ScannedDictionary): void {
    const hit = (kind: ActiveContentKind, what: string): void => {
      this.#hits.push({ kind, what, object })
    }
    const subtype = nameOf(entries.get('Subtype'))
    if (subtype === 'PS' || nameOf(entries.get('Subtype2')) === 'PS')
      hit('other', 'PostScript XObject')
    if (isEmbeddedFile({ entries })) hit('embeddedFile', 'embedded file stream')
    const file = entries.get('F')?.type
    if (file === 'string' || file === 'dictionary') hit('embeddedFile', 'stream of another file')
  }

  #judge(suspect: ScannedDictionary): ActiveContentHit[] {
    const { entries, object } = suspect
    const found: ActiveContentHit[] = []
    const hit = (kind: ActiveContentHit['kind'], what: string): void => {
      found.push({ kind, what, object })
    }
    const isStream = suspect.isObject && this.#values.get(object ?? -1)?.type === 'stream'
    if (!this.#isNameKeyed(suspect)) {
      for (const [key, value] of entries) {
        const rule = forbiddenKeys.get(key)
        const isOther = key === 'Ref' && !isStream
        if (rule && !isOther && this.#hasShape(value, rule)) {
          if (!this.#kept.allows(suspect, key, value)) hit(rule.kind, `key /${key}`)
        }
        if (key === 'AcroForm' && this.#isDictionary(value)) hit('form', 'key /AcroForm')
      }
    }
    const subtype = this.#nameOf(entries.get('Subtype'))
    const annotation = subtype === null ? undefined : forbiddenAnnotations.get(subtype)
    if (annotation) hit(annotation, `annotation /${subtype}`)
    if (subtype === 'Widget') hit('form', 'annotation /Widget')

    const kind = this.#judgeAction(suspect)
    const type = this.#nameOf(entries.get('S'))
    if (kind && (this.#isPlaced(suspect) || !isStructureElement(suspect))) {
      hit(kind, `action /${type}`)
    }
    const openAction = entries.get('OpenAction')
    if (openAction && this.#isDictionary(openAction) && !this.#staysInside(openAction)) {
      hit('openAction', 'key /OpenAction')
    }
    return found
  }

  #isNameKeyed({ isObject, object, under, inArray }: ScannedDictionary): boolean {
    if (!isObject) return under !== null && !inArray && nameKeyedDictionaries.has(under)
    return object !== null && this.#byName.has(object) && !this.#otherwise.has(object)
  }

  #isPlaced({ isObject, object, under }: ScannedDictionary): boolean {
    if (!isObject) return under !== null && actionPositions.has(under)
    return object !== null && this.#asAction.has(object)
  }

  #hasShape(value: ScannedValue, { shape }: ForbiddenKey): boolean {
    if (shape === 'any') return true
    if (this.#isDictionary(value)) return true
    return shape === 'dictionary or array' && this.#typeOf(value) === 'array'
  }

  /** Some readers take a stream for its dictionary. */
  #isDictionary(value: ScannedValue): boolean {
    const type = this.#typeOf(value)
    return type === 'dictionary' || type === 'stream'
  }

  #typeOf(value: ScannedValue): ObjectFacts['type'] | undefined {
    return value.type === 'reference' ? this.#values.get(value.number)?.type : value.type
  }

  #nameOf(value: ScannedValue | undefined): string | null {
    if (value?.type === 'reference') return this.#values.get(value.number)?.name ?? null
    return nameOf(value)
  }

  #staysInside(action: ScannedValue): boolean {
    const dictionary = action.type === 'dictionary' ? action.dictionary : null
    const type =
      action.type === 'reference'
        ? this.#values.get(action.number)?.action
        : dictionary?.entries.get('S')
    return actionTypes.get(this.#nameOf(type) ?? '') === 'kept'
  }

  #judgeAction({ entries }: ScannedDictionary): ActiveContentKind | null {
    const type = this.#nameOf(entries.get('S'))
    const verdict = type === null ? undefined : actionTypes.get(type)
    if (verdict === undefined || verdict === 'kept') return null
    if (verdict !== 'judged') return verdict
    if (type === 'Thread') return entries.has('F') ? 'launch' : null
    if (type === 'Named')
      return pageMoves.has(this.#nameOf(entries.get('N')) ?? '') ? null : 'other'
    const uri = entries.get('URI')
    const judged =
      uri?.type === 'reference' ? this.#values.get(uri.number)?.address : addressOf(uri)
    return judged === undefined || judged === 'kept' ? null : judged
  }
}

interface ObjectFacts {
  readonly type: ScannedValue['type'] | 'stream'
  readonly name: string | null
  /** `/S` of a dictionary, also of a stream's. */
  readonly action: ScannedValue | undefined
  /** What following a string as a URI would do. */
  readonly address: UriVerdict | undefined
  /** The value, if it may be a stream's filter or its parameters; most are not, and are not kept. */
  readonly ofFilter: ScannedValue | undefined
}

function streamFacts({ entries }: ScannedDictionary): ObjectFacts {
  return {
    type: 'stream',
    name: null,
    action: entries.get('S'),
    address: undefined,
    ofFilter: undefined,
  }
}

function mayHoldSuspect(content: Buffer): boolean {
  if (['/JS', '/JavaScript', '/Launch', '/EF'].some((needle) => content.includes(needle)))
    return true
  if (!content.includes('#')) return false
  return /\/[^\s()<>[\]{}/%]*#[0-9a-f]{2}/i.test(content.toString('latin1'))
}

function isSuspect({ entries }: ScannedDictionary): boolean {
  if (entries.has('OpenAction') || entries.has('AcroForm')) return true
  const type = entries.get('S')
  if (type?.type === 'reference') return true
  const verdict = type?.type === 'name' ? actionTypes.get(type.value) : undefined
  if (verdict !== undefined && verdict !== 'kept') return true
  const subtype = entries.get('Subtype')
  if (subtype?.type === 'reference') return true
  if (subtype?.type === 'name') {
    if (subtype.value === 'Widget' || forbiddenAnnotations.has(subtype.value)) return true
  }
  for (const key of entries.keys()) if (forbiddenKeys.has(key)) return true
  return false
}

/** The same leniency as in the walk: an element called `Sound` is not an action. */
function isStructureElement({ entries }: ScannedDictionary): boolean {
  if (!entries.has('P') || actionOperands.some((key) => entries.has(key))) return false
  return entries.has('K') || entries.has('Pg') || nameOf(entries.get('Type')) === 'StructElem'
}

function isEmbeddedFile({ entries }: Pick<ScannedDictionary, 'entries'>): boolean {
  const subtype = nameOf(entries.get('Subtype'))
  return nameOf(entries.get('Type')) === 'EmbeddedFile' && subtype !== 'Image' && subtype !== 'Form'
}

function isImageOrFont({ entries }: ScannedDictionary): boolean {
  const subtype = nameOf(entries.get('Subtype'))
  return (
    subtype === 'Image' ||
    ['Type1C', 'CIDFontType0C', 'OpenType'].includes(subtype ?? '') ||
    ['Length1', 'Length2', 'Length3'].some((key) => entries.has(key))
  )
}

function nameIn({ entries }: ScannedDictionary, key: string): string | null {
  return nameOf(entries.get(key))
}

function nameOf(value: ScannedValue | undefined): string | null {
  return value?.type === 'name' ? value.value : null
}

/** ISO 32000-2, 7.9.2.2: by byte order mark; a URI is ASCII otherwise. */
function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  return Buffer.from(bytes).toString('latin1').replace(/^ï»¿/, '')
}

function factsOf(value: ScannedValue): ObjectFacts {
  return {
    type: value.type,
    name: nameOf(value),
    action: value.type === 'dictionary' ? value.dictionary.entries.get('S') : undefined,
    address: addressOf(value),
    ofFilter: mayBeOfFilter(value) ? value : undefined,
  }
}

function addressOf(value: ScannedValue | undefined): UriVerdict | undefined {
  return value?.type === 'string' ? judgeUri(textOf(stringBytes(value))) : undefined
}
