import { decodeXml, decodeXmlLoosely, xmlEncoding, type XmlEncoding } from './xml-encoding.ts'
import {
  isNcName,
  isXmlSpace,
  legalText,
  MalformedXml,
  unescapeXml,
  withoutControls,
} from './xml-text.ts'

/** One element; `prefix` is what the file used and means nothing beyond it. */
export interface XmlElement {
  readonly namespace: string
  readonly name: string
  readonly prefix: string
  readonly attributes: readonly XmlAttribute[]
  readonly children: (XmlElement | string)[]
  /** Whether instructions or CDATA sections, whose text is among the children, stand directly in it. */
  hasSections: boolean
}

export interface XmlAttribute {
  /** Empty for an attribute without prefix. */
  readonly namespace: string
  readonly name: string
  readonly prefix: string
  readonly value: string
}

/** A whole XML document: one element with nothing but space, comments and instructions around it. */
export interface XmlDocument {
  readonly encoding: XmlEncoding
  readonly root: XmlElement
  /** Before the root, in the order of the file. */
  readonly instructions: readonly XmlInstruction[]
}

interface XmlInstruction {
  readonly target: string
  readonly data: string
}

/** Depth bounds every walk over the tree; XMP needs about fifteen. */
const maxDepth = 64
const maxElements = 100_000
const maxAttributes = 100_000
/** In scope at once: a scope is copied wherever something is declared. */
const maxPrefixes = 256
const maxBytes = 16 * 1024 * 1024

/**
 * Reads the first element of an XML document and all in it: XML 1.0 with namespaces, without a document type, so
 * that there are no entities but the five of the standard. What follows the root element is not looked at, since packets are
 * padded. At most 16 MiB, 100,000 elements, 64 levels.
 *
 * @returns null when the text is not well-formed or passes a limit
 */
export function readXml(bytes: Uint8Array): XmlElement | null {
  if (bytes.length > maxBytes) return null
  const text = decodeXml(bytes)
  return text === null ? null : wellFormed(() => new XmlReader(text).element())
}

/**
 * {@link readXml} for what writers of metadata write: bytes that are no UTF-8 are read as Windows-1252, and control
 * characters, which some pad with, as spaces.
 */
export function readXmlLoosely(bytes: Uint8Array): XmlElement | null {
  const text = looseText(bytes)
  return text === null ? null : wellFormed(() => new XmlReader(text).element())
}

/**
 * Reads an XML document to its end, as a validator does, with what {@link readXmlLoosely} allows and the limits of
 * {@link readXml}.
 *
 * @returns null when the text is not well-formed or passes a limit
 */
export function readXmlDocument(bytes: Uint8Array): XmlDocument | null {
  const text = looseText(bytes)
  if (text === null) return null
  return wellFormed(() => {
    const { root, instructions } = new XmlReader(text).document()
    return { encoding: xmlEncoding(bytes), root, instructions }
  })
}

function looseText(bytes: Uint8Array): string | null {
  const text = bytes.length > maxBytes ? null : decodeXmlLoosely(bytes)
  return text === null ? null : withoutControls(text)
}

function wellFormed<Read>(read: () => Read): Read | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedXml) return null
    throw error
  }
}

interface OpenElement {
  readonly element: XmlElement
  readonly qualifiedName: string
  /** Prefixes in scope; shared with the parent where nothing is declared. */
  readonly scope: ReadonlyMap<string, string>
}

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'
const namePattern = /[:A-Z_a-z\u00c0-\ufffd][-.:\w\u00b7-\ufffd]*/y
const space = /[ \t\r\n]*/y
/** XML 1.0, 2.8; at the very beginning only. */
const declaration =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(["'])1\.\d\1([ \t\r\n]+(encoding|standalone)[ \t\r\n]*=[ \t\r\n]*("[\w.-]+"|'[\w.-]+')){0,2}[ \t\r\n]*\?>/

class XmlReader {
  readonly #text: string
  readonly #open: OpenElement[] = []
  readonly #instructions: XmlInstruction[] = []
  #at = 0
  #elements = 0
  #attributes = 0

  constructor(text: string) {
    // XML 1.0, 2.11: a line end is one line feed.
    this.#text = text.replaceAll(/\r\n?/g, '\n')
    this.#at = declaration.exec(this.#text)?.[0].length ?? 0
  }

  /** The first element, whatever stands around it. */
  element(): XmlElement {
    for (;;) {
      const closed = this.#next()
      if (closed === 'end') throw new MalformedXml()
      if (closed && this.#open.length === 0) return closed
    }
  }

  document(): { root: XmlElement; instructions: readonly XmlInstruction[] } {
    let root: XmlElement | null = null
    let instructions: readonly XmlInstruction[] = []
    for (;;) {
      const start = this.#at
      const outside = this.#open.length === 0
      const closed = this.#next()
      if (outside && !isXmlSpace(this.#textFrom(start))) throw new MalformedXml()
      if (closed === 'end') break
      if (outside && root && this.#open.length > 0) throw new MalformedXml()
      if (!closed || this.#open.length > 0) continue
      if (root) throw new MalformedXml()
      root = closed
      instructions = [...this.#instructions]
    }
    if (!root || this.#open.length > 0) throw new MalformedXml()
    return { root, instructions }
  }

  #textFrom(start: number): string {
    const markup = this.#text.indexOf('<', start)
    return this.#text.slice(start, markup === -1 ? undefined : markup)
  }

  /** Reads text and the markup after it. An element if that closes one; `end` at the end of the text. */
  #next(): XmlElement | 'end' | null {
    const markup = this.#text.indexOf('<', this.#at)
    if (markup === -1) return 'end'
    this.#characters(this.#text.slice(this.#at, markup))
    this.#at = markup

    if (this.#text.startsWith('<!--', markup)) this.#comment()
    else if (this.#text.startsWith('<?', markup)) this.#instruction()
    else if (this.#text.startsWith('<![CDATA[', markup)) this.#characterData()
    else if (this.#text.startsWith('<!', markup)) throw new MalformedXml()
    else return this.#text.startsWith('</', markup) ? this.#endTag() : this.#startTag()
    return null
  }

  #characters(raw: string): void {
    const parent = this.#open.at(-1)
    if (!parent || raw === '') return
    if (raw.includes(']]>')) throw new MalformedXml()
    parent.element.children.push(unescapeXml(raw))
  }

  #comment(): void {
    const start = this.#at + '<!--'.length
    this.#through('--', start)
    if (this.#text.charAt(this.#at) !== '>') throw new MalformedXml()
    this.#at += 1
  }

  #instruction(): void {
    this.#at += 2
    const target = this.#name()
    const start = this.#at
    this.#through('?>', start)
    const data = this.#text.slice(start, this.#at - 2)
    if (target.toLowerCase() === 'xml' || !/^(?:[ \n\t]|$)/.test(data)) throw new MalformedXml()
    const parent = this.#open.at(-1)
    if (parent) parent.element.hasSections = true
    else this.#instructions.push({ target, data: data.trimStart() })
  }

  #characterData(): void {
    const start = this.#at + '<![CDATA['.length
    this.#through(']]>', start)
    const parent = this.#open.at(-1)
    if (!parent) throw new MalformedXml()
    parent.element.hasSections = true
    parent.element.children.push(legalText(this.#text.slice(start, this.#at - ']]>'.length)))
  }

  #through(closing: string, from: number): void {
    const end = this.#text.indexOf(closing, from)
    if (end === -1) throw new MalformedXml()
    this.#at = end + closing.length
  }

  /** The element if it is empty and thus closed already. */
  #startTag(): XmlElement | null {
    this.#at += 1
    const qualifiedName = this.#name()
    const raw: [string, string][] = []
    for (;;) {
      const spaced = this.#space()
      const next = this.#text.charAt(this.#at)
      if (next === '>' || next === '/') break
      this.#attributes += 1
      if (!spaced || this.#attributes > maxAttributes) throw new MalformedXml()
      raw.push(this.#attribute())
    }
    const empty = this.#text.startsWith('/>', this.#at)
    if (!empty && this.#text.charAt(this.#at) !== '>') throw new MalformedXml()
    this.#at += empty ? 2 : 1

    const opened = this.#element(qualifiedName, raw)
    const parent = this.#open.at(-1)
    parent?.element.children.push(opened.element)
    if (empty) return opened.element
    if (this.#open.length >= maxDepth) throw new MalformedXml()
    this.#open.push(opened)
    return null
  }

  #attribute(): [string, string] {
    const name = this.#name()
    this.#space()
    if (this.#text.charAt(this.#at) !== '=') throw new MalformedXml()
    this.#at += 1
    this.#space()
    const quote = this.#text.charAt(this.#at)
    if (quote !== '"' && quote !== "'") throw new MalformedXml()
    const start = this.#at + 1
    this.#through(quote, start)
    const value = this.#text.slice(start, this.#at - 1)
    if (value.includes('<')) throw new MalformedXml()
    // XML 1.0, 3.3.3: literal white space is a space, white space by reference is what it is.
    return [name, unescapeXml(value.replaceAll(/[\t\n]/g, ' '))]
  }

  #element(qualifiedName: string, raw: readonly [string, string][]): OpenElement {
    this.#elements += 1
    if (this.#elements > maxElements) throw new MalformedXml()
    const scope = declaredScope(this.#open.at(-1)?.scope ?? new Map([['xml', xmlNamespace]]), raw)

    const attributes: XmlAttribute[] = []
    const seen = new Set<string>()
    for (const [attributeName, value] of raw) {
      if (attributeName === 'xmlns' || attributeName.startsWith('xmlns:')) continue
      const [prefix, name] = splitName(attributeName)
      const namespace = prefix === '' ? '' : namespaceOf(prefix, scope)
      const key = `${namespace} ${name}`
      if (seen.has(key)) throw new MalformedXml()
      seen.add(key)
      attributes.push({ namespace, name, prefix, value })
    }

    const [prefix, name] = splitName(qualifiedName)
    const namespace = prefix === '' ? (scope.get('') ?? '') : namespaceOf(prefix, scope)
    const element = { namespace, name, prefix, attributes, children: [], hasSections: false }
    return { element, qualifiedName, scope }
  }

  #endTag(): XmlElement {
    this.#at += 2
    const qualifiedName = this.#name()
    this.#space()
    if (this.#text.charAt(this.#at) !== '>') throw new MalformedXml()
    this.#at += 1
    const closed = this.#open.pop()
    if (closed?.qualifiedName !== qualifiedName) throw new MalformedXml()
    return closed.element
  }

  #name(): string {
    namePattern.lastIndex = this.#at
    const [name] = namePattern.exec(this.#text) ?? []
    if (name === undefined) throw new MalformedXml()
    this.#at += name.length
    return name
  }

  /** Whether there was any. */
  #space(): boolean {
    const start = this.#at
    space.lastIndex = start
    space.exec(this.#text)
    this.#at = space.lastIndex
    return this.#at > start
  }
}

function declaredScope(
  outer: ReadonlyMap<string, string>,
  attributes: readonly [string, string][],
): ReadonlyMap<string, string> {
  const declared = attributes.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
  if (declared.length === 0) return outer
  const scope = new Map(outer)
  const seen = new Set<string>()
  for (const [name, uri] of declared) {
    const prefix = name === 'xmlns' ? '' : name.slice(6)
    if (seen.has(prefix) || !mayDeclare(prefix, uri)) throw new MalformedXml()
    seen.add(prefix)
    scope.set(prefix, uri)
  }
  if (scope.size > maxPrefixes) throw new MalformedXml()
  return scope
}

/** Namespaces in XML 1.0, 3 and 5: no prefix is undeclared, and those of XML itself stay what they are. */
function mayDeclare(prefix: string, uri: string): boolean {
  if (prefix === 'xml' || uri === xmlNamespace) return prefix === 'xml' && uri === xmlNamespace
  if (prefix === '') return uri !== xmlnsNamespace
  return isNcName(prefix) && prefix !== 'xmlns' && uri !== '' && uri !== xmlnsNamespace
}

function splitName(qualifiedName: string): [prefix: string, name: string] {
  const colon = qualifiedName.indexOf(':')
  if (colon === -1) return ['', qualifiedName]
  const prefix = qualifiedName.slice(0, colon)
  const name = qualifiedName.slice(colon + 1)
  if (!isNcName(prefix) || !isNcName(name)) throw new MalformedXml()
  return [prefix, name]
}

function namespaceOf(prefix: string, scope: ReadonlyMap<string, string>): string {
  const namespace = scope.get(prefix)
  if (namespace === undefined) throw new MalformedXml()
  return namespace
}
