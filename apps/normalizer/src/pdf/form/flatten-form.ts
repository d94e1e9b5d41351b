import { type AcroForm, fieldFlags, type FormField, fieldOf } from './acro-form.ts'
import { documentCatalog } from '../catalog.ts'
import { decodeStream } from '../filter/decode-stream.ts'
import { dropObjects } from '../drop-objects.ts'
import { AppearanceGenerator } from './generated-appearance.ts'
import { makeFormXObject } from './form-x-object.ts'
import { FieldStructure } from './field-structure.ts'
import { appearanceMatrix, normalAppearance, turnedBack } from './normal-appearance.ts'
import { isName, PdfDictionary, type PdfObject, type PdfReference, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { drawOnPage, type Placement } from '../content/page-drawing.ts'
import { inheritedAttribute, listPages, type PdfPage } from '../page-tree.ts'
import { type Rectangle, rectangleOf } from '../rectangle.ts'
import { dictionaryOf, walkDirect } from '../walk-direct.ts'

export interface Flattened {
  /** How many appearances were placed. */
  readonly placed: number
  /** How many of them lack characters of their text. */
  readonly lacking: number
}

/**
 * Turns the interactive form into page content that looks as the viewer showed it, and takes widgets, fields and the
 * form itself away.
 */
export function flattenForm(
  graph: ObjectGraph,
  form: AcroForm | null,
  widgets: ReadonlySet<PdfDictionary>,
): Flattened {
  const flattening = new Flattening(graph, form)
  const catalog = documentCatalog(graph)
  const isTagged = graph.resolve(catalog.get('StructTreeRoot')) instanceof PdfDictionary
  const structure = isTagged ? new FieldStructure(graph) : null
  let placed = 0
  for (const page of pagesAndStrays(graph)) {
    const placements: Placement[] = []
    const rotation = inheritedAttribute(graph, page, 'Rotate')
    for (const widget of widgetsOf(graph, page.dictionary, widgets)) {
      const placement = flattening.placement(widget, rotation)
      if (!placement) continue
      const markedContent =
        structure?.markedContent(widget, fieldOf(graph, form, widget), page) ?? null
      placements.push({ ...placement, markedContent })
    }
    drawOnPage(graph, page, placements, isTagged)
    placed += placements.length
  }
  removeForm(graph, form)
  dropObjects(graph, widgets)
  return { placed, lacking: flattening.lacking }
}

/** Every widget annotation (ISO 32000-2, 12.5.6.19) of the live objects, whether a page or a field names it or not. */
export function findWidgets(graph: ObjectGraph): Set<PdfDictionary> {
  const widgets = new Set<PdfDictionary>()
  for (const number of graph.numbers()) {
    walkDirect(graph.get(number), (object) => {
      // Some readers take a stream where an annotation is due for its dictionary.
      const dictionary = dictionaryOf(object)
      if (!dictionary) return
      if (isName(graph.resolve(dictionary.get('Subtype')), 'Widget')) widgets.add(dictionary)
    })
  }
  return widgets
}

/** What only the form needs: it, its XFA resources (annex K) and the wish to have it rendered. */
export function removeForm(graph: ObjectGraph, form: AcroForm | null): void {
  const catalog = documentCatalog(graph)
  catalog.delete('AcroForm')
  catalog.delete('NeedsRendering')
  const names = graph.resolve(catalog.get('Names'))
  if (names instanceof PdfDictionary) {
    names.delete('XFAImages')
    names.delete('XFAResources')
  }
  // Also from where a second reference may hold it.
  if (form) dropObjects(graph, new Set([form.dictionary]))
}

/** Pages of the tree, then those that only something else refers to, such as templates. */
function pagesAndStrays(graph: ObjectGraph): PdfPage[] {
  const pages = listPages(graph)
  const known = new Set(pages.map(({ dictionary }) => dictionary))
  for (const number of graph.numbers()) {
    const dictionary = graph.get(number)
    if (!(dictionary instanceof PdfDictionary) || known.has(dictionary)) continue
    if (!isName(graph.resolve(dictionary.get('Type')), 'Page')) continue
    pages.push({ dictionary, reference: null, ancestors: ancestorsOf(graph, dictionary) })
  }
  return pages
}

function ancestorsOf(graph: ObjectGraph, page: PdfDictionary): PdfDictionary[] {
  const ancestors = new Set<PdfDictionary>()
  let node = graph.resolve(page.get('Parent'))
  while (node instanceof PdfDictionary && node !== page && !ancestors.has(node)) {
    ancestors.add(node)
    node = graph.resolve(node.get('Parent'))
  }
  return [...ancestors]
}

function widgetsOf(
  graph: ObjectGraph,
  page: PdfDictionary,
  widgets: ReadonlySet<PdfDictionary>,
): PdfDictionary[] {
  const annotations = graph.resolve(page.get('Annots'))
  if (!Array.isArray(annotations)) return []
  const found = annotations.map((item) => dictionaryOf(graph.resolve(item)))
  return found.filter((item): item is PdfDictionary => item !== null && widgets.has(item))
}

/** Bits of `/F` (table 167) under which a viewer shows nothing. */
const hiddenFlags = (1 << 1) | (1 << 5)
const noRotate = 1 << 4

class Flattening {
  readonly #graph: ObjectGraph
  readonly #form: AcroForm | null
  readonly #generator: AppearanceGenerator
  #lacking = 0

  constructor(graph: ObjectGraph, form: AcroForm | null) {
    this.#graph = graph
    this.#form = form
    this.#generator = new AppearanceGenerator(graph, form)
  }

  /** Appearances made so far that could not show every character. */
  get lacking(): number {
    return this.#lacking
  }

  placement(
    widget: PdfDictionary,
    pageRotation: PdfObject,
  ): Omit<Placement, 'markedContent'> | null {
    const flags = this.#graph.resolve(widget.get('F'))
    const isSet = (bits: number): boolean => typeof flags === 'number' && (flags & bits) !== 0
    if (isSet(hiddenFlags)) return null
    const rectangle = rectangleOf(this.#graph, widget.get('Rect'))
    if (!rectangle || rectangle.left === rectangle.right || rectangle.bottom === rectangle.top) {
      return null
    }
    const form = this.#appearance(widget, rectangle)
    const stream = form && this.#graph.resolve(form)
    if (!form || !(stream instanceof PdfStream)) return null
    const matrix = appearanceMatrix(this.#graph, stream, rectangle)
    if (!matrix || !makeFormXObject(this.#graph, stream, this.#form)) return null
    const isUpright = isSet(noRotate) && typeof pageRotation === 'number'
    return {
      form,
      matrix: isUpright ? turnedBack(matrix, rectangle, pageRotation) : matrix,
      layer: widget.get('OC'),
    }
  }

  /** The file's own appearance, unless it has none or asks for another (12.7.3, NeedAppearances). */
  #appearance(widget: PdfDictionary, rectangle: Rectangle): PdfReference | null {
    const field = fieldOf(this.#graph, this.#form, widget)
    const { present, appearance } = normalAppearance(this.#graph, widget, field)
    if (present && !this.#isStale(widget, field)) return appearance?.reference ?? null
    if (field.type === null || field.type === 'Sig') return appearance?.reference ?? null

    const generated = this.#generator.generate(widget, field, rectangle)
    if (appearance && generated && !generated.exact && this.#showsText(appearance.stream)) {
      return appearance.reference
    }
    if (generated?.exact === false) this.#lacking++
    return generated?.form ?? null
  }

  /**
   * Viewers make texts, choices and push buttons anew then; check boxes and radio buttons keep their looks, and so does
   * a push button of which `/MK` (table 192) says nothing.
   */
  #isStale(widget: PdfDictionary, { type, flags }: FormField): boolean {
    if (this.#form?.needAppearances !== true) return false
    if (type !== 'Btn') return type === 'Tx' || type === 'Ch'
    const described = this.#graph.resolve(widget.get('MK'))
    const isPushButton = (flags & fieldFlags.pushButton) !== 0
    return isPushButton && described instanceof PdfDictionary && described.size > 0
  }

  /** Whether there is something to lose by a new appearance that cannot set every character. */
  #showsText(stream: PdfStream): boolean {
    const content = decodeStream(this.#graph, stream)
    return content === null || /\bT[jJ]\b|\bDo\b/.test(Buffer.from(content).toString('latin1'))
  }
}
