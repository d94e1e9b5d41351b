import { PdfDictionary, PdfString } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { pdfaClaimProperties } from './pdfa-claim.ts'
import { decodeTextString } from '../text-string.ts'
import { isNcName } from './xml-name.ts'
import { findXmpProperty, type XmpProperty, type XmpValue, xmpNamespaces, xmpText } from './xmp.ts'

/** What a document says about itself, once; Info and XMP are written from it and agree by construction. */
export interface MetadataRecord {
  /** Keys of the document information dictionary (ISO 32000-2, 14.3.3) and their text; `/Producer` is not in it. */
  readonly info: ReadonlyMap<InfoKey, string>
  readonly properties: readonly XmpProperty[]
  /** Prefixes of the namespaces that an extension schema brings. */
  readonly prefixes: ReadonlyMap<string, string>
}

type InfoKey = 'Title' | 'Author' | 'Subject' | 'Keywords'

export interface MetadataRules {
  /** Keep the claim to be PDF/A, and with it the namespaces that have an extension schema. */
  readonly keepPdfaClaim: boolean
  /** ISO 19005-1, 6.7.3: `dc:creator` has one entry, which is equal to `/Author`. */
  readonly oneCreator: boolean
}

/**
 * The record of a document: of each fact what XMP says if that is not empty, else what Info says (trust, section 7).
 * Everything that is not among the kept facts is left out.
 *
 * @param xmp null where there is none or where it is not well-formed
 */
export function metadataRecord(
  graph: ObjectGraph,
  xmp: readonly XmpProperty[] | null,
  rules: MetadataRules,
): MetadataRecord {
  const source = xmp ?? []
  const infoText = infoTexts(graph)
  const title = alternatives(findXmpProperty(source, dc, 'title'), infoText('Title'))
  const description = alternatives(findXmpProperty(source, dc, 'description'), infoText('Subject'))
  const rights = alternatives(findXmpProperty(source, dc, 'rights'), '')
  const listed = texts(findXmpProperty(source, dc, 'creator'))
  const creators = listed.length > 0 ? listed : [infoText('Author')].filter((text) => text !== '')
  const author = creators.join('; ')
  const inXmp = cleanText(xmpText(findXmpProperty(source, pdf, 'Keywords')))
  const keywords = inXmp === '' ? infoText('Keywords') : inXmp

  const properties = [
    ...property(dc, 'title', languageArray(title)),
    ...property(dc, 'description', languageArray(description)),
    ...property(dc, 'rights', languageArray(rights)),
    ...property(dc, 'creator', textArray('Seq', rules.oneCreator ? [author] : creators)),
    ...property(dc, 'language', textArray('Bag', texts(findXmpProperty(source, dc, 'language')))),
    ...property(pdf, 'Keywords', keywords === '' ? null : plain(keywords)),
    ...simpleProperties(source, xmpNamespaces.pdfuaid, ['part', 'rev', 'amd', 'corr']),
  ]
  const extension = rules.keepPdfaClaim ? extensionSchemas(source) : noExtension
  if (rules.keepPdfaClaim) properties.push(...pdfaClaimProperties(source), ...extension.properties)

  return {
    info: new Map(
      (
        [
          ['Title', title.get('x-default') ?? ''],
          ['Author', author],
          ['Subject', description.get('x-default') ?? ''],
          ['Keywords', keywords],
        ] as const
      ).filter(([, text]) => text !== ''),
    ),
    properties,
    prefixes: extension.prefixes,
  }
}

const { dc, pdf } = xmpNamespaces

/** NFC, control characters dropped (line ends and tabs are spaces), trimmed. */
function cleanText(text: string | null): string {
  return (text ?? '')
    .toWellFormed()
    .replace(/[\t\r\n]+/g, ' ')
    .replace(/[\p{Cc}\ufffe\uffff]/gu, '')
    .normalize('NFC')
    .trim()
}

function infoTexts(graph: ObjectGraph): (key: InfoKey) => string {
  const info = graph.resolve(graph.trailer.get('Info'))
  return (key) => {
    const value = info instanceof PdfDictionary ? graph.resolve(info.get(key)) : null
    return value instanceof PdfString ? cleanText(decodeTextString(value)) : ''
  }
}

/** A language alternative by language; `x-default` is there whenever anything is, and comes first. */
function alternatives(value: XmpValue | undefined, fallback: string): Map<string, string> {
  const byLanguage = new Map<string, string>()
  for (const item of textValues(value)) {
    const text = cleanText(item.text)
    const language = languageTag(item.language)
    if (text !== '' && !byLanguage.has(language)) byLanguage.set(language, text)
  }
  const first = byLanguage.get('x-default') ?? byLanguage.values().next().value ?? fallback
  byLanguage.delete('x-default')
  const others = [...byLanguage].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return first === '' ? new Map() : new Map([['x-default', first], ...others])
}

function languageTag(language: string | null): string {
  return language !== null && /^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,8}$/i.test(language)
    ? language
    : 'x-default'
}

function texts(value: XmpValue | undefined): string[] {
  return textValues(value)
    .map(({ text }) => cleanText(text))
    .filter((text) => text !== '')
}

function textValues(value: XmpValue | undefined): Extract<XmpValue, { kind: 'text' }>[] {
  if (value?.kind === 'text') return [value]
  return value?.kind === 'array' ? value.items.filter((item) => item.kind === 'text') : []
}

function property(namespace: string, name: string, value: XmpValue | null): XmpProperty[] {
  return value === null ? [] : [{ namespace, name, value }]
}

function plain(text: string, language: string | null = null): XmpValue {
  return { kind: 'text', text, language }
}

function languageArray(byLanguage: ReadonlyMap<string, string>): XmpValue | null {
  if (byLanguage.size === 0) return null
  const items = [...byLanguage].map(([language, text]) => plain(text, language))
  return { kind: 'array', form: 'Alt', items }
}

function textArray(form: 'Seq' | 'Bag', all: readonly string[]): XmpValue | null {
  const items = all.filter((text) => text !== '').map((text) => plain(text))
  return items.length === 0 ? null : { kind: 'array', form, items }
}

function simpleProperties(
  source: readonly XmpProperty[],
  namespace: string,
  names: readonly string[],
): XmpProperty[] {
  return names.flatMap((name) => {
    const text = cleanText(xmpText(findXmpProperty(source, namespace, name)))
    return property(namespace, name, text === '' ? null : plain(text))
  })
}

interface Extension {
  readonly properties: XmpProperty[]
  readonly prefixes: Map<string, string>
}

const noExtension: Extension = { properties: [], prefixes: new Map() }

/** Namespaces whose facts are kept or dropped by name: describing them again must not bring dropped ones back. */
const decidedNamespaces: ReadonlySet<string> = new Set([
  ...Object.values(xmpNamespaces).filter((namespace) => namespace !== xmpNamespaces.pdfuaid),
  'http://ns.adobe.com/xap/1.0/',
  'http://ns.adobe.com/xap/1.0/mm/',
  'http://ns.adobe.com/xap/1.0/rights/',
  'http://ns.adobe.com/xap/1.0/bj/',
  'http://ns.adobe.com/xap/1.0/t/pg/',
  'http://ns.adobe.com/xmp/1.0/DynamicMedia/',
  'http://ns.adobe.com/pdfx/1.3/',
  'http://ns.adobe.com/photoshop/1.0/',
  'http://ns.adobe.com/camera-raw-settings/1.0/',
  'http://ns.adobe.com/exif/1.0/',
  'http://ns.adobe.com/exif/1.0/aux/',
  'http://ns.adobe.com/tiff/1.0/',
])

/** The schemas of `pdfaExtension:schemas` (ISO 19005-1, 6.7.8) and all properties in the namespaces they describe. */
function extensionSchemas(source: readonly XmpProperty[]): Extension {
  const container = findXmpProperty(source, xmpNamespaces.pdfaExtension, 'schemas')
  if (container?.kind !== 'array') return noExtension

  const schemas: XmpValue[] = []
  const prefixes = new Map<string, string>()
  const free = new FreePrefixes()
  for (const schema of container.items) {
    const namespace = schemaText(schema, 'namespaceURI')
    if (namespace === null || decidedNamespaces.has(namespace)) continue
    schemas.push(schema)
    if (namespace === xmpNamespaces.pdfuaid || prefixes.has(namespace)) continue
    prefixes.set(namespace, free.take(schemaText(schema, 'prefix')))
  }
  if (schemas.length === 0) return noExtension

  const known = new Set([...prefixes.keys(), ...Object.values(xmpNamespaces)])
  const described = source.filter(({ namespace }) => prefixes.has(namespace))
  const bag: XmpValue = { kind: 'array', form: 'Bag', items: schemas }
  const kept = [...property(xmpNamespaces.pdfaExtension, 'schemas', bag), ...described]
  return { properties: kept.flatMap((one) => withinNamespaces(one, known)), prefixes }
}

function schemaText(schema: XmpValue, name: string): string | null {
  if (schema.kind !== 'structure') return null
  return xmpText(findXmpProperty(schema.fields, xmpNamespaces.pdfaSchema, name))
}

/** Gives each namespace a prefix of its own, the one that is wanted where it can be had. */
class FreePrefixes {
  readonly #used = new Set(['x', 'xmlns', ...Object.keys(xmpNamespaces)])
  #last = 0

  take(wanted: string | null): string {
    const prefix = wanted !== null && isNcName(wanted) && !this.#used.has(wanted) ? wanted : null
    const taken = prefix ?? this.#numbered()
    this.#used.add(taken)
    return taken
  }

  #numbered(): string {
    do this.#last += 1
    while (this.#used.has(`ns${this.#last}`))
    return `ns${this.#last}`
  }
}

/** Structure fields in namespaces that nothing describes cannot be written and are left out. */
function withinNamespaces(one: XmpProperty, known: ReadonlySet<string>): XmpProperty[] {
  return known.has(one.namespace) ? [{ ...one, value: valueWithin(one.value, known) }] : []
}

function valueWithin(value: XmpValue, known: ReadonlySet<string>): XmpValue {
  if (value.kind === 'text') return value
  if (value.kind === 'array') {
    return { ...value, items: value.items.map((item) => valueWithin(item, known)) }
  }
  return { ...value, fields: value.fields.flatMap((field) => withinNamespaces(field, known)) }
}
