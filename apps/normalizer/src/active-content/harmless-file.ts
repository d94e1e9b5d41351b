import { decodeXml } from '../pdf/metadata/xml-encoding.ts'
import { readXml, type XmlElement } from '../pdf/metadata/xml.ts'

/**
 * Whether an embedded file is data and nothing that a reader, a browser or a system runs: XML, JSON, CSV or plain text by
 * its name, by its MIME type and by what is in it (docs/operating/pdfa.md). Everything else counts as harmful.
 */
export function isHarmlessFile(name: string, mimeType: string, data: Uint8Array): boolean {
  if (!isPlainName(name)) return false
  const ending = /\.[^.]*$/.exec(name)?.[0].toLowerCase() ?? ''
  const kind = kinds.find(({ types }) => types.includes(mimeType.toLowerCase()))
  return kind !== undefined && kind.ending === ending && kind.holds(data)
}

const kinds: readonly {
  readonly types: readonly string[]
  readonly ending: string
  readonly holds: (data: Uint8Array) => boolean
}[] = [
  { types: ['text/xml', 'application/xml'], ending: '.xml', holds: isPassiveXml },
  { types: ['application/json'], ending: '.json', holds: isJson },
  { types: ['text/csv'], ending: '.csv', holds: isPlainText },
  { types: ['text/plain'], ending: '.txt', holds: isPlainText },
]

/** No path, no wildcard, nothing that changes how the name looks, and no name that systems hide. */
function isPlainName(name: string): boolean {
  return /^[^.\s\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}][^\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{0,199}$/u.test(
    name,
  )
}

/**
 * Well-formed, without a document type (entities), without a style sheet, and without elements of languages that do something: what
 * browsers run when they open it, and what makes a parser fetch other files.
 */
function isPassiveXml(data: Uint8Array): boolean {
  const text = decodeXml(data)?.replace(/^\ufeff/, '')
  if (text === undefined || /<\?xml-stylesheet/i.test(text)) return false
  // What stands around the root element is read too when it is the content of another one.
  const content = text.replace(/^<\?xml\s[^>]*\?>/, '')
  const whole = readXml(Buffer.from(`<all>${content}</all>`, 'utf8'))
  const [root, ...others] = whole?.children.filter((child) => typeof child !== 'string') ?? []
  if (whole === null || root === undefined || others.length > 0) return false
  if (whole.children.some((child) => typeof child === 'string' && child.trim() !== '')) return false
  const queue: XmlElement[] = [root]
  for (const { namespace, children } of queue) {
    if (activeNamespaces.has(namespace)) return false
    for (const child of children) if (typeof child !== 'string') queue.push(child)
  }
  return true
}

const activeNamespaces: ReadonlySet<string> = new Set([
  'http://www.w3.org/1999/xhtml',
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/1999/XSL/Transform',
  'http://www.w3.org/2001/XInclude',
])

function isJson(data: Uint8Array): boolean {
  const text = utf8(data)
  if (text === null) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Not the beginning of a script, of markup or of another format. */
function isPlainText(data: Uint8Array): boolean {
  const text = utf8(data)
  return text !== null && !/^\s*(?:<|%PDF-|%!|#!|MZ|PK)/.test(text)
}

function utf8(data: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(data)
    // oxlint-disable-next-line no-control-regex
    return /[\0-\x08\x0b\x0e-\x1f\x7f]/.test(text) ? null : text
  } catch {
    return null
  }
}
