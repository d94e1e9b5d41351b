import type { ContentBudget } from '../../pdf/content/content-budget.ts'
import { ContentScanner } from '../../pdf/content/content-scanner.ts'
import { decodeStream } from '../../pdf/filter/decode-stream.ts'
import { isName, PdfDictionary, type PdfObject, PdfStream } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { placeOf } from '../document/entry.ts'
import type { Place } from '../failures.ts'
import type { Validation } from '../validation.ts'
import type { ColourGraph } from './colour-space.ts'
import type { ColourContext } from './colour-space-checks.ts'
import { type DrawnContent, type Frame, frameOf } from './content-frame.ts'
import { ContentResources } from './content-resources.ts'
import { contentRules } from './content-rules.ts'
import { copyOf, type DrawingState, initialState } from './drawing-state.ts'
import { checkForm } from './form-checks.ts'
import { type GroupChecks, isTransparencyGroup } from './group-checks.ts'
import { MarkedStructure } from './marked-structure.ts'
import { numberIn } from './number-in.ts'
import { OpenMarks } from './open-marks.ts'
import { checkResourceNames } from './resource-names.ts'

/** The content streams that are being gone through: of a page, and of forms, patterns and glyphs, each once in a document. */
export class ContentStack {
  readonly #validation: Validation
  readonly #graph: ObjectGraph
  readonly #colourGraph: ColourGraph
  readonly #groups: GroupChecks
  readonly #budget: ContentBudget
  readonly #structure: MarkedStructure
  readonly #frames: Frame[] = []
  /** Of content that was left; they keep their room for operands. */
  readonly #scanners: ContentScanner[] = []
  readonly #entered = new Set<PdfStream | PdfDictionary>()
  readonly #judgedResources = new Set<PdfDictionary>()
  /** Of forms, patterns and Type 3 fonts that were gone through: whether they paint what is not opaque. */
  readonly #translucent = new Map<PdfStream | PdfDictionary, boolean>()
  /** The resources of the page, which all content on it inherits. */
  #pageResources: ContentResources | null = null

  constructor(validation: Validation, graph: ColourGraph, groups: GroupChecks) {
    this.#validation = validation
    this.#graph = validation.graph
    this.#colourGraph = graph
    this.#groups = groups
    this.#budget = graph.contentBudget
    this.#structure = new MarkedStructure(this.#graph)
  }

  get innermost(): Frame | undefined {
    return this.#frames.at(-1)
  }

  /** Whether the form, pattern or Type 3 font paints anything that is not opaque, as far as it was gone through. */
  isTranslucent(owner: PdfStream | PdfDictionary): boolean {
    return this.#translucent.get(owner) === true
  }

  /** Whether the form does, or composes what it paints as a transparency group. */
  isTranslucentForm(form: PdfStream): boolean {
    return this.isTranslucent(form) || isTransparencyGroup(this.#graph, form.dictionary)
  }

  /** The content of a page. */
  enterPage(content: DrawnContent): Frame {
    this.#pageResources = content.resources
    return this.#enter(content, initialState(content.resources.deviceSpace('DeviceGray')), null)
  }

  /** @param pageResources of the page on which the appearance stands */
  enterAppearance(
    form: PdfStream,
    pageResources: ContentResources | null,
    context: ColourContext,
    place: Place,
  ): void {
    this.#pageResources = pageResources
    this.#enterForm(form, context, place, null)
  }

  /** A form XObject that is drawn in the content of `around`, in the state there. */
  enterForm(form: PdfStream, place: Place, around: Frame): void {
    this.#enterForm(form, around.context, place, around)
  }

  /** A tiling, which is content of its own in a state of its own (ISO 32000-2, 8.7.3). */
  enterTiling(pattern: PdfStream, place: Place, around: Frame): void {
    if (!this.#isNew(pattern)) return
    const { dictionary } = pattern
    const tiling = this.#enter(
      {
        bytes: this.#bytesOf(pattern),
        resources: this.#resourcesOf(dictionary, place),
        context: around.context,
        place,
        structureKey: null,
      },
      initialState(around.resources.deviceSpace('DeviceGray')),
      pattern,
    )
    tiling.hasNoColour =
      around.hasNoColour || this.#graph.resolve(dictionary.get('PaintType')) === 2
    tiling.isDrawnLater = true
  }

  /** The glyph procedures of a font that is shown, if it is of Type 3 (9.6.4). */
  enterGlyphs(reference: PdfObject, around: Frame): void {
    const font = this.#graph.resolve(reference)
    if (!(font instanceof PdfDictionary)) return
    if (!this.#isNew(font)) {
      if (this.isTranslucent(font)) around.isTranslucent = true
      return
    }
    if (!isName(this.#graph.resolve(font.get('Subtype')), 'Type3')) return
    const procedures = this.#graph.resolve(font.get('CharProcs'))
    if (!(procedures instanceof PdfDictionary)) return
    const place = placeOf(reference, around.place)
    for (const [, procedure] of [...procedures].reverse()) {
      const stream = this.#graph.resolve(procedure)
      if (!(stream instanceof PdfStream) || !this.#isNew(stream)) continue
      const content = {
        bytes: this.#bytesOf(stream),
        resources: this.#resourcesOf(font, place),
        context: around.context,
        place: placeOf(procedure, place),
        structureKey: null,
      }
      this.#enter(content, copyOf(around.state), font)
    }
  }

  /** The innermost content is at its end. */
  leave(frame: Frame): void {
    this.#frames.pop()
    this.#scanners.push(frame.scanner)
    const { inheritedNames, undefinedNames } = frame.resources
    this.#validation.check(contentRules, { inheritedNames, undefinedNames }, frame.place)
    const { owner, isTranslucent } = frame
    if (owner === null) return
    this.#translucent.set(owner, isTranslucent || this.isTranslucent(owner))
    const around = this.innermost
    if (around !== undefined && isTranslucent && !frame.isDrawnLater) around.isTranslucent = true
  }

  /** @param around what draws it; null for nothing, so that it begins in the initial state */
  #enterForm(form: PdfStream, context: ColourContext, place: Place, around: Frame | null): void {
    if (!this.#isNew(form)) return
    const { dictionary } = form
    checkForm(this.#validation, dictionary, place)
    const resources = this.#resourcesOf(dictionary, place)
    const entered = this.#enter(
      {
        bytes: this.#bytesOf(form),
        resources,
        context: this.#groups.contextWithin(dictionary, resources, context, place),
        place,
        structureKey: numberIn(this.#graph, dictionary, 'StructParents'),
      },
      around === null ? initialState(resources.deviceSpace('DeviceGray')) : copyOf(around.state),
      form,
    )
    entered.hasNoColour = around?.hasNoColour === true
  }

  #enter(
    content: DrawnContent,
    state: DrawingState,
    owner: PdfStream | PdfDictionary | null,
  ): Frame {
    this.#budget.spend(content.bytes.length + frameBytes)
    const marks = new OpenMarks(this.#graph, this.#structure, content.structureKey)
    const frame = frameOf(
      content,
      state,
      owner,
      marks,
      this.#scanners.pop() ?? new ContentScanner(),
    )
    this.#frames.push(frame)
    return frame
  }

  #isNew(content: PdfStream | PdfDictionary): boolean {
    if (this.#entered.has(content)) return false
    this.#entered.add(content)
    return true
  }

  #bytesOf(stream: PdfStream): Uint8Array {
    return decodeStream(this.#graph, stream) ?? noBytes
  }

  #resourcesOf(holder: PdfDictionary, place: Place): ContentResources {
    const own = this.#graph.resolve(holder.get('Resources'))
    const dictionary = own instanceof PdfDictionary ? own : null
    if (dictionary !== null && !this.#judgedResources.has(dictionary)) {
      this.#judgedResources.add(dictionary)
      checkResourceNames(this.#validation, dictionary, place)
    }
    return new ContentResources(this.#colourGraph, dictionary, this.#pageResources)
  }
}

const noBytes = new Uint8Array(0)
/** What content takes beside its bytes. */
const frameBytes = 1024
