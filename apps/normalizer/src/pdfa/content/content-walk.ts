import type { ContentBudget } from '../../pdf/content/content-budget.ts'
import { ContentScanner, Operand } from '../../pdf/content/content-scanner.ts'
import { op } from '../../pdf/content/operators.ts'
import { decodeStream } from '../../pdf/filter/decode-stream.ts'
import {
  isName,
  PdfDictionary,
  PdfName,
  type PdfObject,
  PdfStream,
  PdfString,
} from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { hasEntry, placeOf } from '../document/entry.ts'
import type { Place } from '../failures.ts'
import { directObjectRules } from '../file/direct-object-rules.ts'
import type { FontChecks } from '../font/font-checks.ts'
import { checkActualText, checkLanguage } from '../text-rules.ts'
import type { Validation } from '../validation.ts'
import {
  type ColourGraph,
  type ColourSpace,
  type DeviceName,
  isDeviceName,
} from './colour-space.ts'
import {
  type ColourContext,
  type ColourSpaceChecks,
  noBlendingSpace,
} from './colour-space-checks.ts'
import { ContentResources } from './content-resources.ts'
import { contentRules, mostNesting, nestingRules, operatorRules } from './content-rules.ts'
import {
  applyParameters,
  copyOf,
  type DrawingState,
  initialState,
  type Paint,
} from './drawing-state.ts'
import { checkExternalGraphicsState } from './external-graphics-state.ts'
import { checkForm, checkGroup, checkPostScript } from './form-checks.ts'
import { checkImage, checkInlineImage } from './image-checks.ts'
import { enumeratedCmyk } from './jpeg2000.ts'
import { MarkedStructure } from './marked-structure.ts'
import { isOperator, takesOperands } from './operator-kinds.ts'
import { inlineProperties } from './property-list.ts'
import { checkRenderingIntent } from './rendering-intent.ts'
import { numberIn } from './number-in.ts'
import { checkResourceNames } from './resource-names.ts'

/** A content stream with what it is drawn in. */
export interface DrawnContent {
  readonly bytes: Uint8Array
  readonly resources: ContentResources
  readonly context: ColourContext
  readonly place: Place
  /** `/StructParents`: under which key the structure tree has what is marked in it; null for none. */
  readonly structureKey: number | null
}

/**
 * Goes through content streams operator by operator and, where they draw others, through those: each form, pattern and glyph
 * once, in the state in which it is first drawn.
 */
export class ContentWalk {
  readonly #validation: Validation
  readonly #graph: ObjectGraph
  readonly #fonts: FontChecks
  readonly #colours: ColourSpaceChecks
  readonly #colourGraph: ColourGraph
  readonly #budget: ContentBudget
  readonly #seen = new Set<PdfStream | PdfDictionary>()
  /** Of forms, patterns and Type 3 fonts that were gone through: whether they paint what is not opaque. */
  readonly #translucent = new Map<PdfStream | PdfDictionary, boolean>()
  readonly #structure: MarkedStructure
  readonly #frames: Frame[] = []
  /** The resources of the page, which all content on it inherits. */
  #pageResources: ContentResources | null = null

  constructor(
    validation: Validation,
    fonts: FontChecks,
    colours: ColourSpaceChecks,
    graph: ColourGraph,
  ) {
    this.#validation = validation
    this.#graph = validation.graph
    this.#fonts = fonts
    this.#colours = colours
    this.#structure = new MarkedStructure(validation.graph)
    this.#colourGraph = graph
    this.#budget = graph.contentBudget
  }

  /**
   * The content of a page.
   *
   * @returns whether it paints anything that is not opaque
   * @throws {ContentBudgetError} when the document has more content than can be gone through
   */
  run(content: DrawnContent): boolean {
    this.#pageResources = content.resources
    const gray = content.resources.deviceSpace('DeviceGray')
    const frame = this.#enter(content, initialState(gray), null)
    this.#goOn()
    return frame.isTranslucent
  }

  /**
   * An appearance stream.
   *
   * @param pageResources of the page on which it stands
   * @returns whether it paints anything that is not opaque, or is a transparency group
   * @throws {ContentBudgetError}
   */
  runAppearance(
    form: PdfStream,
    pageResources: ContentResources | null,
    context: ColourContext,
    place: Place,
  ): boolean {
    this.#pageResources = pageResources
    if (!this.#seen.has(form)) {
      this.#seen.add(form)
      this.#enterForm(form, context, place, null)
      this.#goOn()
    }
    return this.#isTranslucentForm(form)
  }

  #goOn(): void {
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      const operator = frame.scanner.next()
      this.#checkSpelling(operator, frame)
      if (operator === 0) this.#leave(frame)
      else this.#execute(operator, frame)
    }
  }

  #enter(
    { bytes, resources, context, place, structureKey }: DrawnContent,
    state: DrawingState,
    owner: PdfStream | PdfDictionary | null,
  ): Frame {
    this.#budget.spend(bytes.length + frameBytes)
    const scanner = new ContentScanner()
    // Views of a plain array are made in half the time of those of a Buffer, and every string is one.
    scanner.open(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length))
    const frame: Frame = {
      scanner,
      resources,
      context,
      place,
      owner,
      state,
      saved: [],
      unsaved: 0,
      marks: [],
      unkeptMarks: 0,
      structureKey,
      judged: new Set(),
      hasNoColour: false,
      isTranslucent: false,
      isDrawnLater: false,
      oddities: 0,
      strays: 0,
    }
    this.#frames.push(frame)
    return frame
  }

  #leave(frame: Frame): void {
    this.#frames.pop()
    const { inheritedNames, undefinedNames } = frame.resources
    this.#validation.check(contentRules, { inheritedNames, undefinedNames }, frame.place)
    const { owner, isTranslucent } = frame
    if (owner === null) return
    this.#translucent.set(owner, isTranslucent || this.#translucent.get(owner) === true)
    const around = this.#frames.at(-1)
    if (around !== undefined && isTranslucent && !frame.isDrawnLater) around.isTranslucent = true
  }

  /** What is wrong with the operands, and whether the operator is one. */
  #checkSpelling(operator: number, frame: Frame): void {
    const { scanner, place } = frame
    const { oddities, strayDelimiters } = scanner
    if (oddities !== frame.oddities) {
      const found = oddities & ~frame.oddities
      frame.oddities = oddities
      if (takesOperands(operator) || scanner.inlineImage !== null) {
        this.#validation.check(directObjectRules, { oddities: found }, place)
      }
    }
    if (strayDelimiters !== frame.strays) {
      frame.strays = strayDelimiters
      this.#validation.check(operatorRules, { isOperator: false }, place)
    }
    if (operator === 0 || isOperator(operator) || scanner.inlineImage !== null) return
    this.#validation.check(operatorRules, { isOperator: false }, place)
  }

  #execute(operator: number, frame: Frame): void {
    const { scanner, state } = frame
    switch (operator) {
      case op.q:
        this.#save(frame)
        break
      case op.Q:
        if (frame.unsaved > 0) frame.unsaved--
        else frame.state = frame.saved.pop() ?? state
        break
      case op.gs:
        this.#setParameters(frame, scanner.name(0))
        break
      case op.ri:
        checkRenderingIntent(this.#validation, scanner.name(0) ?? undefined, frame.place)
        break
      case op.g:
        this.#setDevice(frame, state.fill, 'DeviceGray')
        break
      case op.G:
        this.#setDevice(frame, state.stroke, 'DeviceGray')
        break
      case op.rg:
        this.#setDevice(frame, state.fill, 'DeviceRGB')
        break
      case op.RG:
        this.#setDevice(frame, state.stroke, 'DeviceRGB')
        break
      case op.k:
        this.#setDevice(frame, state.fill, 'DeviceCMYK')
        break
      case op.K:
        this.#setDevice(frame, state.stroke, 'DeviceCMYK')
        break
      case op.cs:
        this.#setSpace(frame, state.fill)
        break
      case op.CS:
        this.#setSpace(frame, state.stroke)
        break
      case op.sc:
      case op.scn:
        this.#setColour(frame, state.fill)
        break
      case op.SC:
      case op.SCN:
        this.#setColour(frame, state.stroke)
        break
      case op.f:
      case op.F:
      case op.fstar:
        this.#paint(frame, state.fill)
        break
      case op.S:
      case op.s:
        this.#paint(frame, state.stroke)
        break
      case op.B:
      case op.Bstar:
      case op.b:
      case op.bstar:
        this.#paint(frame, state.fill)
        this.#paint(frame, state.stroke)
        break
      case op.sh:
        this.#shade(frame, scanner.name(0))
        break
      case op.Tf:
        state.font = this.#resource(frame, 'Font', scanner.name(0))
        break
      case op.Tr:
        state.renderingMode = scanner.number(0)
        break
      case op.Tj:
      case op.TJ:
      case op.quote:
      case op.doubleQuote:
        this.#show(frame)
        break
      case op.d1:
        frame.hasNoColour = true
        break
      case op.BMC:
        this.#openMark(frame, null)
        break
      case op.BDC:
        this.#beginMark(frame)
        break
      case op.DP:
        checkActualText(this.#validation, this.#properties(frame)?.get('ActualText'), frame.place)
        break
      case op.EMC:
        if (frame.unkeptMarks > 0) frame.unkeptMarks--
        else frame.marks.pop()
        break
      case op.Do:
        this.#draw(frame, scanner.name(0))
        break
      case op.EI:
        if (scanner.inlineImage !== null) this.#drawInline(frame, scanner.inlineImage)
        break
    }
  }

  #save(frame: Frame): void {
    const nesting = frame.saved.length + frame.unsaved + 1
    if (nesting <= maxSavedStates) frame.saved.push(copyOf(frame.state))
    else frame.unsaved++
    // Once for each content: deeper ones only tell it again.
    if (nesting === firstDeepNesting) {
      this.#validation.check(nestingRules, { nesting }, frame.place)
    }
  }

  #setParameters(frame: Frame, name: PdfName | null): void {
    const object = this.#resource(frame, 'ExtGState', name)
    const parameters = this.#graph.resolve(object)
    if (!(parameters instanceof PdfDictionary)) return
    if (!this.#seen.has(parameters)) {
      this.#seen.add(parameters)
      checkExternalGraphicsState(this.#validation, parameters, placeOf(object, frame.place))
    }
    applyParameters(this.#graph, frame.state, parameters)
  }

  #setDevice(frame: Frame, paint: Paint, name: DeviceName): void {
    paint.space = frame.resources.deviceSpace(name)
    this.#judge(frame, paint.space)
  }

  #setSpace(frame: Frame, paint: Paint): void {
    const name = frame.scanner.name(0)
    const space = name === null ? null : frame.resources.colourSpace(name.value)
    // What names none is gray.
    paint.space = space ?? frame.resources.deviceSpace('DeviceGray')
    paint.pattern = null
    this.#judge(frame, paint.space)
  }

  #setColour(frame: Frame, paint: Paint): void {
    this.#judge(frame, paint.space)
    if (paint.space.family !== 'Pattern') return
    const name = frame.scanner.name(frame.scanner.count - 1)
    const object = this.#resource(frame, 'Pattern', name)
    const pattern = this.#graph.resolve(object)
    if (!(pattern instanceof PdfStream) && !(pattern instanceof PdfDictionary)) return
    paint.pattern = pattern
    this.#usePattern(frame, pattern, placeOf(object, frame.place))
  }

  /** Tilings are content of their own, in a state of their own (8.7.3); shadings have a colour space (8.7.4). */
  #usePattern(frame: Frame, pattern: PdfStream | PdfDictionary, place: Place): void {
    const dictionary = pattern instanceof PdfStream ? pattern.dictionary : pattern
    if (this.#graph.resolve(dictionary.get('PatternType')) === 2) {
      this.#judgeShading(frame, dictionary.get('Shading'))
      return
    }
    if (!(pattern instanceof PdfStream) || this.#seen.has(pattern)) return
    this.#seen.add(pattern)
    const resources = this.#resourcesOf(dictionary, place)
    const tiles = this.#enter(
      {
        bytes: decodeStream(this.#graph, pattern) ?? noBytes,
        resources,
        context: frame.context,
        place,
        structureKey: null,
      },
      initialState(frame.resources.deviceSpace('DeviceGray')),
      pattern,
    )
    tiles.hasNoColour = frame.hasNoColour || this.#graph.resolve(dictionary.get('PaintType')) === 2
    tiles.isDrawnLater = true
  }

  #judgeShading(frame: Frame, object: PdfObject | undefined): void {
    const shading = this.#graph.resolve(object)
    const dictionary = shading instanceof PdfStream ? shading.dictionary : shading
    if (!(dictionary instanceof PdfDictionary)) return
    const space = frame.resources.colourSpaceOf(dictionary.get('ColorSpace'))
    if (space !== null) this.#judge(frame, space)
  }

  #judge(frame: Frame, space: ColourSpace): void {
    if (frame.hasNoColour || frame.judged.has(space)) return
    frame.judged.add(space)
    this.#colours.check(space, frame.context, frame.place)
  }

  #paint(frame: Frame, paint: Paint): void {
    const { state } = frame
    this.#judge(frame, paint.space)
    if (paint.overprints && state.overprintMode !== 0 && !frame.hasNoColour) {
      this.#colours.checkOverprint(paint.space, state.overprintMode, frame.place)
    }
    if (paint.isTranslucent || state.blends || state.isMasked) frame.isTranslucent = true
    if (paint.pattern !== null && this.#translucent.get(paint.pattern) === true) {
      frame.isTranslucent = true
    }
  }

  /** Images and forms are filled as a whole, without a colour of the state. */
  #paintObject(frame: Frame): void {
    const { fill, blends, isMasked } = frame.state
    if (fill.isTranslucent || blends || isMasked) frame.isTranslucent = true
  }

  #shade(frame: Frame, name: PdfName | null): void {
    this.#judgeShading(frame, this.#resource(frame, 'Shading', name))
    this.#paintObject(frame)
  }

  #show(frame: Frame): void {
    const { scanner, state } = frame
    const { font, renderingMode } = state
    if (fills(renderingMode)) this.#paint(frame, state.fill)
    if (strokes(renderingMode)) this.#paint(frame, state.stroke)
    if (font === null) return
    const mark = frame.marks.at(-1) ?? unmarked
    const hasActualText = mark.hasActualText || mark.elementHasActualText
    for (let index = 0; index < scanner.count; index++) {
      if (scanner.kind(index) !== Operand.string) continue
      const bytes = scanner
        .stringBytes(index)
        .subarray(scanner.stringStart(index), scanner.stringEnd(index))
      this.#fonts.show({ font, bytes, renderingMode, hasActualText }, frame.place)
    }
    this.#enterGlyphs(frame, font)
  }

  /** The glyph procedures of a Type 3 font (9.6.4). */
  #enterGlyphs(frame: Frame, reference: PdfObject): void {
    const font = this.#graph.resolve(reference)
    if (!(font instanceof PdfDictionary)) return
    if (this.#seen.has(font)) {
      if (this.#translucent.get(font) === true) frame.isTranslucent = true
      return
    }
    this.#seen.add(font)
    if (!isName(this.#graph.resolve(font.get('Subtype')), 'Type3')) return
    const procedures = this.#graph.resolve(font.get('CharProcs'))
    if (!(procedures instanceof PdfDictionary)) return
    const place = placeOf(reference, frame.place)
    for (const [, procedure] of [...procedures].reverse()) {
      const stream = this.#graph.resolve(procedure)
      if (!(stream instanceof PdfStream) || this.#seen.has(stream)) continue
      this.#seen.add(stream)
      const content = {
        bytes: decodeStream(this.#graph, stream) ?? noBytes,
        resources: this.#resourcesOf(font, place),
        context: frame.context,
        place: placeOf(procedure, place),
        structureKey: null,
      }
      this.#enter(content, copyOf(frame.state), font)
    }
  }

  #beginMark(frame: Frame): void {
    const properties = this.#properties(frame)
    checkActualText(this.#validation, properties?.get('ActualText'), frame.place)
    checkLanguage(this.#validation, properties?.get('Lang'), frame.place)
    this.#openMark(frame, properties)
  }

  #openMark(frame: Frame, properties: PdfDictionary | null): void {
    const around = frame.marks.at(-1) ?? unmarked
    if (frame.marks.length >= maxMarks) {
      frame.unkeptMarks++
      return
    }
    if (properties === null) {
      frame.marks.push(around)
      return
    }
    const identifier = this.#graph.resolve(properties.get('MCID'))
    const text = this.#graph.resolve(properties.get('ActualText'))
    frame.marks.push({
      hasActualText: around.hasActualText || text instanceof PdfString,
      elementHasActualText:
        typeof identifier === 'number'
          ? this.#structure.hasActualText(frame.structureKey, identifier)
          : around.elementHasActualText,
    })
  }

  /** The property list of `BDC` or `DP` (14.6.2), as far as strings and numbers stand in it. */
  #properties(frame: Frame): PdfDictionary | null {
    const { scanner } = frame
    const name = scanner.name(1)
    if (name === null) return inlineProperties(scanner)
    const list = this.#graph.resolve(this.#resource(frame, 'Properties', name))
    return list instanceof PdfDictionary ? list : null
  }

  #draw(frame: Frame, name: PdfName | null): void {
    const object = this.#resource(frame, 'XObject', name)
    const stream = this.#graph.resolve(object)
    if (!(stream instanceof PdfStream)) return
    this.#paintObject(frame)
    const isNew = !this.#seen.has(stream)
    this.#seen.add(stream)
    const place = placeOf(object, frame.place)
    const subtype = this.#graph.resolve(stream.dictionary.get('Subtype'))
    if (isName(subtype, 'Form')) {
      if (this.#isTranslucentForm(stream)) frame.isTranslucent = true
      if (isNew) this.#enterForm(stream, frame.context, place, frame)
    } else if (isName(subtype, 'Image')) {
      if (hasSoftMask(this.#graph, stream.dictionary)) frame.isTranslucent = true
      if (isNew) this.#drawImage(frame, stream, place)
    } else if (isNew) checkPostScript(this.#validation, place)
  }

  #isTranslucentForm(form: PdfStream): boolean {
    return this.#translucent.get(form) === true || isTransparencyGroup(this.#graph, form.dictionary)
  }

  /** @param around what draws it; null for nothing, so that it begins in the initial state */
  #enterForm(form: PdfStream, context: ColourContext, place: Place, around: Frame | null): void {
    const { dictionary } = form
    checkForm(this.#validation, dictionary, place)
    const resources = this.#resourcesOf(dictionary, place)
    const inner = this.groupContext(dictionary, resources, context, place)
    const entered = this.#enter(
      {
        bytes: decodeStream(this.#graph, form) ?? noBytes,
        resources,
        context: inner,
        place,
        structureKey: numberIn(this.#graph, dictionary, 'StructParents'),
      },
      around === null ? initialState(resources.deviceSpace('DeviceGray')) : copyOf(around.state),
      form,
    )
    entered.hasNoColour = around?.hasNoColour === true
  }

  /** Judges the group of a page or a form; what holds for colours within it. */
  groupContext(
    holder: PdfDictionary,
    resources: ContentResources,
    context: ColourContext,
    place: Place,
    isPage = false,
  ): ColourContext {
    const group = this.#graph.resolve(holder.get('Group'))
    if (!(group instanceof PdfDictionary)) return context
    const isTransparency = isTransparencyGroup(this.#graph, holder)
    checkGroup(this.#validation, isTransparency, place)
    const space = resources.colourSpaceOf(group.get('CS'))
    if (space === null) return context
    this.#colours.check(space, context, place, 'group')
    // 11.4.5: groups that are not isolated compose in the colour space of what is around them.
    if (!isPage && this.#graph.resolve(group.get('I')) !== true) return context
    const isOfDevice = isDeviceSpace(this.#graph, group.get('CS'))
    const blending = isOfDevice ? noBlendingSpace : this.#colours.blendingSpaceOf(space)
    return { ...context, blending }
  }

  #drawImage(frame: Frame, image: PdfStream, place: Place): void {
    const { dictionary } = image
    const data = checkImage(this.#validation, image, 'picture', place)
    if (this.#graph.resolve(dictionary.get('ImageMask')) === true) {
      this.#judge(frame, frame.state.fill.space)
    } else if (hasEntry(dictionary, 'ColorSpace')) {
      const space = this.#imageSpace(frame, dictionary.get('ColorSpace'))
      // An image has its own colours, also where those of the state count for nothing.
      if (space !== null) this.#colours.check(space, frame.context, place)
    } else if (data?.enumerated === enumeratedCmyk) {
      const space = frame.resources.deviceSpace('DeviceCMYK')
      this.#colours.check(space, frame.context, place)
    }
    for (const [key, use] of masks) {
      const object = dictionary.get(key)
      const mask = this.#graph.resolve(object)
      if (!(mask instanceof PdfStream) || this.#seen.has(mask)) continue
      this.#seen.add(mask)
      checkImage(this.#validation, mask, use, placeOf(object, place))
    }
  }

  #imageSpace(frame: Frame, object: PdfObject | undefined): ColourSpace | null {
    const value = this.#graph.resolve(object)
    if (isName(value)) return frame.resources.imageSpace(value.value)
    return frame.resources.colourSpaceOf(value)
  }

  #drawInline(frame: Frame, image: PdfStream): void {
    checkInlineImage(this.#validation, image, frame.place)
    const { dictionary } = image
    const isStencil = (dictionary.get('IM') ?? dictionary.get('ImageMask')) === true
    const object = dictionary.get('CS') ?? dictionary.get('ColorSpace')
    const space = isStencil ? frame.state.fill.space : inlineSpace(frame.resources, object)
    this.#judge(frame, space ?? frame.resources.deviceSpace('DeviceGray'))
  }

  #resource(
    frame: Frame,
    category: 'ExtGState' | 'Font' | 'Pattern' | 'Properties' | 'Shading' | 'XObject',
    name: PdfName | null,
  ): PdfObject {
    if (name === null) return null
    return frame.resources.get(category, name.value)?.object ?? null
  }

  #resourcesOf(holder: PdfDictionary, place: Place): ContentResources {
    const own = this.#graph.resolve(holder.get('Resources'))
    const dictionary = own instanceof PdfDictionary ? own : null
    if (dictionary !== null && !this.#seen.has(dictionary)) {
      this.#seen.add(dictionary)
      checkResourceNames(this.#validation, dictionary, place)
    }
    return new ContentResources(this.#colourGraph, dictionary, this.#pageResources)
  }
}

/** Content that is being gone through: of a page, a form XObject, a pattern or a glyph. */
interface Frame {
  readonly scanner: ContentScanner
  readonly resources: ContentResources
  readonly context: ColourContext
  readonly place: Place
  /** What the content belongs to; null for the page itself. */
  readonly owner: PdfStream | PdfDictionary | null
  state: DrawingState
  readonly saved: DrawingState[]
  /** `q` beyond those that are kept. */
  unsaved: number
  /** Marked-content sequences that are open. */
  readonly marks: Mark[]
  /** Those beyond the ones that are kept. */
  unkeptMarks: number
  /** `/StructParents`: under which key the structure tree has what is marked here; null for none. */
  readonly structureKey: number | null
  /** Colour spaces that were judged here. */
  readonly judged: Set<ColourSpace>
  /** Colours in it count for nothing: an uncoloured tiling, or a glyph that is only a shape. */
  hasNoColour: boolean
  isTranslucent: boolean
  /** A pattern is gone through where it is set and drawn where it is painted with. */
  isDrawnLater: boolean
  oddities: number
  strays: number
}

/** What holds for text within a marked-content sequence. */
interface Mark {
  /** Its property list, or one around it, has `/ActualText`. */
  readonly hasActualText: boolean
  /** The structure element of the innermost sequence that has one has it. */
  readonly elementHasActualText: boolean
}

const unmarked: Mark = { hasActualText: false, elementHasActualText: false }
/** Open sequences at once; no writer nests as deep. */
const maxMarks = 1024

const noBytes = new Uint8Array(0)
/** What a frame takes beside its content. */
const frameBytes = 1024
/** Saved states at once in one content; deeper ones come back to the last that was kept. */
const maxSavedStates = 1024
const firstDeepNesting = mostNesting + 1

const masks = [
  ['SMask', 'soft mask'],
  ['Mask', 'stencil'],
] as const

/** The colour space of an inline image (8.9.7): named, or Indexed and spelled out. */
function inlineSpace(
  resources: ContentResources,
  object: PdfObject | undefined,
): ColourSpace | null {
  const expanded = (value: PdfObject): PdfObject =>
    isName(value) ? new PdfName(inlineSpaces[value.value] ?? value.value) : value
  if (isName(object)) return resources.inlineSpace(inlineSpaces[object.value] ?? object.value)
  return Array.isArray(object) ? resources.colourSpaceOf(object.map(expanded)) : null
}

/** Table 92. */
const inlineSpaces: Readonly<Partial<Record<string, string>>> = {
  I: 'Indexed',
  G: 'DeviceGray',
  RGB: 'DeviceRGB',
  CMYK: 'DeviceCMYK',
}

/** Table 104. */
function fills(renderingMode: number): boolean {
  return renderingMode % 2 === 0
}

function strokes(renderingMode: number): boolean {
  return renderingMode % 4 === 1 || renderingMode % 4 === 2
}

/** Device colour spaces leave the blending space to the output intent, whatever stands for them by default. */
function isDeviceSpace(graph: ObjectGraph, object: PdfObject | undefined): boolean {
  const value = graph.resolve(object)
  const name = Array.isArray(value) && value.length === 1 ? graph.resolve(value[0]) : value
  return isName(name) && isDeviceName(name.value)
}

function isTransparencyGroup(graph: ObjectGraph, holder: PdfDictionary): boolean {
  const group = graph.resolve(holder.get('Group'))
  return group instanceof PdfDictionary && isName(graph.resolve(group.get('S')), 'Transparency')
}

function hasSoftMask(graph: ObjectGraph, image: PdfDictionary): boolean {
  if (graph.resolve(image.get('SMask')) instanceof PdfStream) return true
  return (numberIn(graph, image, 'SMaskInData') ?? 0) > 0
}
