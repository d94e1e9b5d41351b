/** A property, a field or an item of XMP as it was written (ISO 16684-1, 6), with the prefix that the file used. */
export interface XmpNode {
  readonly namespace: string
  /** Empty for the default namespace. */
  readonly prefix: string
  readonly name: string
  readonly value: NodeValue
  /** `xml:lang`; other qualifiers change no value and are left out. */
  readonly language: string | null
}

export type NodeValue =
  | { readonly kind: 'simple'; readonly text: string }
  | { readonly kind: 'structure'; readonly fields: readonly XmpNode[] }
  | { readonly kind: 'array'; readonly form: ArrayForm; readonly items: readonly XmpNode[] }

export type ArrayForm = 'Bag' | 'Seq' | 'Alt'

/** The text of a simple value; null for an array, a structure and what is not there. */
export function simpleText(node: XmpNode | undefined): string | null {
  return node?.value.kind === 'simple' ? node.value.text : null
}

export function findNode(
  nodes: readonly XmpNode[],
  namespace: string,
  name: string,
): XmpNode | undefined {
  return nodes.find((node) => node.namespace === namespace && node.name === name)
}
