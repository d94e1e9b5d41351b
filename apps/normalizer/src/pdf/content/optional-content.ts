import { isName, PdfDictionary, type PdfObject } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'

/** Which layers (ISO 32000-2, 8.11) the default configuration shows. */
export class OptionalContent {
  readonly #graph: Pick<ObjectGraph, 'resolve'>
  readonly #off = new Set<PdfObject>()

  constructor(graph: Pick<ObjectGraph, 'resolve' | 'trailer'>) {
    this.#graph = graph
    const catalog = graph.resolve(graph.trailer.get('Root'))
    const properties = this.#entry(catalog, 'OCProperties')
    const configuration = this.#entry(properties, 'D')
    // 8.11.4.3: BaseState, then ON and OFF.
    if (isName(this.#entry(configuration, 'BaseState'), 'OFF')) {
      for (const group of this.#list(properties, 'OCGs')) this.#off.add(group)
      for (const group of this.#list(configuration, 'ON')) this.#off.delete(group)
    }
    for (const group of this.#list(configuration, 'OFF')) this.#off.add(group)
  }

  /**
   * Whether content with this `/OC` is not shown. Visibility expressions are not evaluated; the groups and the policy
   * beside them say what older viewers do.
   */
  hides(membership: PdfObject | undefined): boolean {
    if (this.#off.size === 0) return false
    const dictionary = this.#graph.resolve(membership)
    if (!(dictionary instanceof PdfDictionary)) return false
    if (!dictionary.has('OCGs')) return this.#off.has(dictionary)
    const single = this.#entry(dictionary, 'OCGs')
    const groups = single instanceof PdfDictionary ? [single] : this.#list(dictionary, 'OCGs')
    if (groups.length === 0) return false
    const isOff = (group: PdfObject): boolean => this.#off.has(group)
    const policy = this.#entry(dictionary, 'P')
    switch (isName(policy) ? policy.value : 'AnyOn') {
      case 'AllOn':
        return groups.some(isOff)
      case 'AnyOff':
        return !groups.some(isOff)
      case 'AllOff':
        return !groups.every(isOff)
      default:
        return groups.every(isOff)
    }
  }

  #entry(dictionary: PdfObject, key: string): PdfObject {
    return dictionary instanceof PdfDictionary ? this.#graph.resolve(dictionary.get(key)) : null
  }

  #list(dictionary: PdfObject, key: string): PdfObject[] {
    const list = this.#entry(dictionary, key)
    return Array.isArray(list) ? list.map((item) => this.#graph.resolve(item)) : []
  }
}
