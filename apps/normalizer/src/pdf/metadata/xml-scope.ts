import { isNcName } from './xml-name.ts'
import { MalformedXml } from './xml-text.ts'

/** The prefixes that are declared where an element stands, from the innermost declaration outwards. */
export interface Scope {
  /** Empty for the default namespace. */
  readonly prefix: string
  readonly namespace: string
  readonly outer: Scope | null
  /** How many declarations there are up to the outermost. */
  readonly size: number
}

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'
/** Each name is looked for among them, one by one. */
const maxDeclarations = 512

export const documentScope: Scope = {
  prefix: 'xml',
  namespace: xmlNamespace,
  outer: null,
  size: 1,
}

/** Whether the attribute declares a namespace (Namespaces in XML 1.0, 3). */
export function isDeclaration(attributeName: string): boolean {
  if (!attributeName.startsWith('xmlns')) return false
  return attributeName.length === xmlns.length || attributeName.charAt(xmlns.length) === ':'
}

const xmlns = 'xmlns'

/**
 * The scope of an element with these attributes.
 *
 * @throws {MalformedXml} when it declares what cannot be declared, or more than a document may
 */
export function declare(attributes: readonly (readonly [string, string])[], outer: Scope): Scope {
  let scope = outer
  for (const [name, namespace] of attributes) {
    if (!isDeclaration(name)) continue
    const prefix = name.slice(xmlns.length + 1)
    if (!mayDeclare(prefix, namespace)) throw new MalformedXml()
    for (let own = scope; own !== outer && own.outer !== null; own = own.outer) {
      if (own.prefix === prefix) throw new MalformedXml()
    }
    if (scope.size >= maxDeclarations) throw new MalformedXml()
    scope = { prefix, namespace, outer: scope, size: scope.size + 1 }
  }
  return scope
}

/** Namespaces in XML 1.0, 3 and 5: no prefix is undeclared, and those of XML itself stay what they are. */
function mayDeclare(prefix: string, uri: string): boolean {
  if (prefix === 'xml' || uri === xmlNamespace) return prefix === 'xml' && uri === xmlNamespace
  if (prefix === '') return uri !== xmlnsNamespace
  return isNcName(prefix) && prefix !== xmlns && uri !== '' && uri !== xmlnsNamespace
}

/**
 * The namespace of a prefix; that of an empty one is the default namespace, or empty.
 *
 * @throws {MalformedXml} when the prefix is not declared
 */
export function namespaceOf(prefix: string, scope: Scope): string {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    if (at.prefix === prefix) return at.namespace
  }
  if (prefix !== '') throw new MalformedXml()
  return ''
}
