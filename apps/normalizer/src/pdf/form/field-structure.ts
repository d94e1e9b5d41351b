import type { MarkedContent } from '../content/page-drawing.ts'
import { type FormField, fieldFlags, textOf } from './acro-form.ts'
import { isOn } from './field-value.ts'
import { isName, PdfDictionary, PdfName, type PdfObject, PdfReference } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import type { PdfPage } from '../page-tree.ts'
import { parentTreeEntries } from '../parent-tree.ts'
import { encodeTextString } from '../text-string.ts'
import { dictionaryOf } from '../walk-direct.ts'

/**
 * Keeps a flattened field in the structure tree: the element that held its widget (ISO 32000-2, 14.7.5.3) holds what is
 * drawn in its place as marked content, and says what kind of field it was (14.8.5.6, PrintField).
 */
export class FieldStructure {
  readonly #graph: ObjectGraph
  readonly #parents: ReadonlyMap<number, PdfObject>

  constructor(graph: ObjectGraph) {
    this.#graph = graph
    this.#parents = parentTreeEntries(graph)
  }

  /** null where the tree does not know the widget, or the page has no marked content yet. */
  markedContent(
    widget: PdfDictionary,
    field: FormField,
    { dictionary, reference }: PdfPage,
  ): MarkedContent | null {
    const ofPage = this.#graph.resolve(this.#entry(dictionary.get('StructParents')) ?? null)
    const parent = this.#entry(widget.get('StructParent'))
    const element = this.#graph.resolve(parent)
    if (!Array.isArray(ofPage) || !(parent instanceof PdfReference) || !reference) return null
    if (!(element instanceof PdfDictionary)) return null
    const content = new PdfDictionary([
      ['Type', new PdfName('MCR')],
      ['Pg', reference],
      ['MCID', ofPage.length],
    ])
    if (!this.#replaceKid(element, widget, content)) return null
    ofPage.push(parent)
    this.#describe(element, widget, field)
    const type = this.#graph.resolve(element.get('S'))
    const tag = isName(type) && /^[A-Za-z][A-Za-z0-9]*$/.test(type.value) ? type.value : 'Form'
    return { tag, identifier: ofPage.length - 1 }
  }

  /** Attributes that the element has of this kind say it better. */
  #describe(element: PdfDictionary, widget: PdfDictionary, field: FormField): void {
    const role = roleOf(field)
    if (role === null) return
    const present = this.#graph.resolve(element.get('A'))
    const attributes = Array.isArray(present) ? present : present === null ? [] : [present]
    const owners = attributes.map((item) => this.#graph.resolve(item))
    const isDescribed = owners.some(
      (item) =>
        item instanceof PdfDictionary && isName(this.#graph.resolve(item.get('O')), 'PrintField'),
    )
    if (isDescribed) return
    const added = new PdfDictionary([
      ['O', new PdfName('PrintField')],
      ['Role', new PdfName(role)],
    ])
    if (role === 'cb' || role === 'rb') {
      added.set('checked', new PdfName(isOn(this.#graph, widget, field) ? 'on' : 'off'))
    }
    const name = textOf(this.#graph, field.alternateName)
    if (name) added.set('Desc', encodeTextString(name))
    const single = element.get('A')
    element.set(
      'A',
      Array.isArray(present) ? [...present, added] : single ? [single, added] : added,
    )
  }

  #entry(key: PdfObject | undefined): PdfObject | undefined {
    const resolved = this.#graph.resolve(key)
    return typeof resolved === 'number' ? this.#parents.get(resolved) : undefined
  }

  #replaceKid(element: PdfDictionary, widget: PdfDictionary, content: PdfDictionary): boolean {
    const kids = this.#graph.resolve(element.get('K'))
    if (!Array.isArray(kids)) {
      if (!this.#refersTo(kids, widget)) return false
      element.set('K', content)
      return true
    }
    const index = kids.findIndex((kid) => this.#refersTo(this.#graph.resolve(kid), widget))
    if (index < 0) return false
    kids[index] = content
    return true
  }

  #refersTo(kid: PdfObject, widget: PdfDictionary): boolean {
    return (
      kid instanceof PdfDictionary && dictionaryOf(this.#graph.resolve(kid.get('Obj'))) === widget
    )
  }
}

/** Table 389: radio button, check box, push button, list box, or text. */
function roleOf({ type, flags }: FormField): 'rb' | 'cb' | 'pb' | 'lb' | 'tv' | null {
  if (type === null) return null
  if (type === 'Ch') return (flags & fieldFlags.combo) === 0 ? 'lb' : 'tv'
  if (type !== 'Btn') return 'tv'
  if ((flags & fieldFlags.pushButton) !== 0) return 'pb'
  return (flags & fieldFlags.radio) === 0 ? 'cb' : 'rb'
}
