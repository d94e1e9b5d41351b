import { decodeXml } from './xml-encoding.ts'
import { isNcName, legalText, MalformedXml, unescapeXml } from './xml-text.ts'

/** One element; `prefix` is what the file used and means nothing beyond it. */
export interface XmlElement {
  readonly namespace: string
  readonly name: string
  readonly prefix: string
  readonly attributes: readonly XmlAttribute[]
  readonly children: (XmlElement | string)[]
}

interface XmlAttribute {
  /** Empty for an attribute without prefix. */
  readonly namespace: string
  readonly name: string
  readonly value: string
}

/** Depth bounds every walk over the tree; XMP needs about fifteen. */
const maxDepth = 64
const maxElements = 100_000
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
  return text === null ? null : new XmlReader(text).read()
}

interface OpenElement {
  readonly element: XmlElement
  readonly qualifiedName: string
  /** Prefixes in scope; shared with the parent where nothing is declared. */
  readonly scope: ReadonlyMap<string, string>
}

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const namePattern = /[:A-Z_a-z\u00c0-\uffff][-.:\w\u00b7-\uffff]*/y
const space = /[ \t\r\n]*/y

class XmlReader {
  readonly #text: string
  readonly #open: OpenElement[] = []
  #at = 0
  #elements = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): XmlElement | null {
    try {
      return this.#document()
    } catch (error) {
      if (error instanceof MalformedXml) return null
      throw error
    }
  }

  #document(): XmlElement {
    for (;;) {
      const markup = this.#text.indexOf('<', this.#at)
      if (markup === -1) throw new MalformedXml()
      this.#characters(this.#text.slice(this.#at, markup))
      this.#at = markup

      if (this.#skipped('<!--', '-->') || this.#skipped('<?', '?>')) continue
      if (this.#text.startsWith('<![CDATA[', markup)) this.#characterData()
      else if (this.#text.startsWith('<!', markup)) throw new MalformedXml()
      else {
        const closed = this.#text.startsWith('</', markup) ? this.#endTag() : this.#startTag()
        if (closed && this.#open.length === 0) return closed
      }
    }
  }

  #characters(raw: string): void {
    const parent = this.#open.at(-1)
    if (parent && raw !== '') parent.element.children.push(unescapeXml(raw))
  }

  #skipped(opening: string, closing: string): boolean {
    if (!this.#text.startsWith(opening, this.#at)) return false
    this.#through(closing, this.#at + opening.length)
    return true
  }

  #characterData(): void {
    const start = this.#at + '<![CDATA['.length
    this.#through(']]>', start)
    const parent = this.#open.at(-1)
    if (!parent) throw new MalformedXml()
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
      this.#space()
      const next = this.#text.charAt(this.#at)
      if (next === '>' || next === '/') break
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
    return [name, unescapeXml(value)]
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
      attributes.push({ namespace, name, value })
    }

    const [prefix, name] = splitName(qualifiedName)
    const namespace = prefix === '' ? (scope.get('') ?? '') : namespaceOf(prefix, scope)
    return { element: { namespace, name, prefix, attributes, children: [] }, qualifiedName, scope }
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

  #space(): void {
    space.lastIndex = this.#at
    space.exec(this.#text)
    this.#at = space.lastIndex
  }
}

function declaredScope(
  outer: ReadonlyMap<string, string>,
  attributes: readonly [string, string][],
): ReadonlyMap<string, string> {
  const declared = attributes.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
  if (declared.length === 0) return outer
  const scope = new Map(outer)
  for (const [name, uri] of declared) scope.set(name === 'xmlns' ? '' : name.slice(6), uri)
  if (scope.size > maxPrefixes) throw new MalformedXml()
  return scope
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
