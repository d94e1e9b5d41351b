import { decodeXml, decodeXmlLoosely, xmlEncoding, type XmlEncoding } from './xml-encoding.ts'
import { endOfName, splitName } from './xml-name.ts'
import { declare, documentScope, isDeclaration, namespaceOf, type Scope } from './xml-scope.ts'
import { areDistinct } from './xml-name.ts'
import {
  isPlainText,
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
  readonly scope: Scope
}

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

    switch (this.#text.charAt(markup + 1)) {
      case '/':
        return this.#endTag()
      case '?':
        this.#instruction()
        return null
      case '!':
        if (this.#text.startsWith('<!--', markup)) this.#comment()
        else if (this.#text.startsWith('<![CDATA[', markup)) this.#characterData()
        else throw new MalformedXml()
        return null
      default:
        return this.#startTag()
    }
  }

  #characters(raw: string): void {
    const parent = this.#open.at(-1)
    if (!parent || raw === '') return
    parent.element.children.push(isPlainText(raw) ? raw : characterText(raw))
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
    const spaced = /[\t\n]/.test(value) ? value.replaceAll(/[\t\n]/g, ' ') : value
    return [name, isPlainText(spaced) ? spaced : unescapeXml(spaced)]
  }

  #element(qualifiedName: string, raw: readonly [string, string][]): OpenElement {
    this.#elements += 1
    if (this.#elements > maxElements) throw new MalformedXml()
    const outer = this.#open.at(-1)?.scope ?? documentScope
    const scope = raw.length === 0 ? outer : declare(raw, outer)
    const attributes = raw.length === 0 ? [] : boundAttributes(raw, scope)
    const { prefix, name } = splitName(qualifiedName)
    const namespace = namespaceOf(prefix, scope)
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
    const start = this.#at
    const end = endOfName(this.#text, start)
    if (end === start) throw new MalformedXml()
    this.#at = end
    return this.#text.slice(start, end)
  }

  /** Whether there was any. */
  #space(): boolean {
    const start = this.#at
    let at = start
    while (isSpace(this.#text.charCodeAt(at))) at++
    this.#at = at
    return at > start
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d
}

/** Text between tags that is not plain. */
function characterText(raw: string): string {
  if (raw.includes(']]>')) throw new MalformedXml()
  return unescapeXml(raw)
}

function boundAttributes(raw: readonly [string, string][], scope: Scope): XmlAttribute[] {
  const attributes: XmlAttribute[] = []
  for (const [attributeName, value] of raw) {
    if (isDeclaration(attributeName)) continue
    const { prefix, name } = splitName(attributeName)
    // Namespaces in XML 1.0, 6.2: the default namespace is none of attributes.
    const namespace = prefix === '' ? '' : namespaceOf(prefix, scope)
    attributes.push({ namespace, name, prefix, value })
  }
  if (!areDistinct(attributes)) throw new MalformedXml()
  return attributes
}
