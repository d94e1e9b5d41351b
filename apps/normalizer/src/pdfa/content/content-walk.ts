import { Operand } from '../../pdf/content/content-scanner.ts'
import { op } from '../../pdf/content/operators.ts'
import { isName, PdfDictionary, type PdfName, type PdfObject, PdfStream } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { placeOf } from '../document/entry.ts'
import type { Place } from '../failures.ts'
import type { FontChecks } from '../font/font-checks.ts'
import type { UsedFont } from '../font/font-context.ts'
import { checkActualText, checkLanguage } from '../text-rules.ts'
import type { Validation } from '../validation.ts'
import { checkSpelling } from './check-spelling.ts'
import type { ColourGraph, DeviceName } from './colour-space.ts'
import type { ColourContext, ColourSpaceChecks } from './colour-space-checks.ts'
import { type DrawnContent, type Frame, restoreState, saveState } from './content-frame.ts'
import type { ContentResources, ResourceCategory } from './content-resources.ts'
import { mostNesting, nestingRules } from './content-rules.ts'
import { ContentStack } from './content-stack.ts'
import { applyParameters, type Paint } from './drawing-state.ts'
import { DrawnImages } from './drawn-images.ts'
import { checkExternalGraphicsState } from './external-graphics-state.ts'
import { checkPostScript } from './form-checks.ts'
import type { GroupChecks } from './group-checks.ts'
import { Painting } from './painting.ts'
import { inlineProperties } from './property-list.ts'
import { checkRenderingIntent } from './rendering-intent.ts'

/**
 * Goes through content streams operator by operator and, where they draw others, through those: each form, pattern and glyph
 * once, in the state in which it is first drawn.
 */
export class ContentWalk {
  readonly #validation: Validation
  readonly #graph: ObjectGraph
  readonly #fonts: FontChecks
  readonly #stack: ContentStack
  readonly #painting: Painting
  readonly #images: DrawnImages
  readonly #judgedParameters = new Set<PdfDictionary>()
  readonly #judgedPrograms = new Set<PdfStream>()

  constructor(
    validation: Validation,
    fonts: FontChecks,
    colours: ColourSpaceChecks,
    groups: GroupChecks,
    graph: ColourGraph,
  ) {
    this.#validation = validation
    this.#graph = validation.graph
    this.#fonts = fonts
    this.#stack = new ContentStack(validation, graph, groups)
    this.#painting = new Painting(validation.graph, colours, this.#stack)
    this.#images = new DrawnImages(validation, colours, this.#painting)
  }

  /**
   * The content of a page.
   *
   * @returns whether it paints anything that is not opaque
   * @throws {ContentBudgetError} when the document has more content than can be gone through
   */
  run(content: DrawnContent): boolean {
    const frame = this.#stack.enterPage(content)
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
    this.#stack.enterAppearance(form, pageResources, context, place)
    this.#goOn()
    return this.#stack.isTranslucentForm(form)
  }

  #goOn(): void {
    const stack = this.#stack
    for (let frame = stack.innermost; frame !== undefined; frame = stack.innermost) {
      const operator = frame.scanner.next()
      checkSpelling(this.#validation, operator, frame)
      if (operator === 0) stack.leave(frame)
      else this.#execute(operator, frame)
    }
  }

  #execute(operator: number, frame: Frame): void {
    const { scanner, state } = frame
    switch (operator) {
      case op.q:
        this.#save(frame)
        break
      case op.Q:
        restoreState(frame)
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
        this.#painting.paint(frame, state.fill)
        break
      case op.S:
      case op.s:
        this.#painting.paint(frame, state.stroke)
        break
      case op.B:
      case op.Bstar:
      case op.b:
      case op.bstar:
        this.#painting.paint(frame, state.fill)
        this.#painting.paint(frame, state.stroke)
        break
      case op.sh:
        this.#shade(frame, scanner.name(0))
        break
      case op.Tf:
        state.font = resource(frame, 'Font', scanner.name(0))
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
        frame.marks.open(null)
        break
      case op.BDC:
        this.#beginMark(frame)
        break
      case op.DP:
        checkActualText(this.#validation, this.#properties(frame)?.get('ActualText'), frame.place)
        break
      case op.EMC:
        frame.marks.close()
        break
      case op.Do:
        this.#draw(frame, scanner.name(0))
        break
      case op.EI:
        if (scanner.inlineImage !== null) this.#images.drawInline(frame, scanner.inlineImage)
        break
    }
  }

  #save(frame: Frame): void {
    const nesting = saveState(frame)
    // Once for each content: deeper ones only tell it again.
    if (nesting === firstDeepNesting) {
      this.#validation.check(nestingRules, { nesting }, frame.place)
    }
  }

  #setParameters(frame: Frame, name: PdfName | null): void {
    const object = resource(frame, 'ExtGState', name)
    const parameters = this.#graph.resolve(object)
    if (!(parameters instanceof PdfDictionary)) return
    if (!this.#judgedParameters.has(parameters)) {
      this.#judgedParameters.add(parameters)
      checkExternalGraphicsState(this.#validation, parameters, placeOf(object, frame.place))
    }
    applyParameters(this.#graph, frame.state, parameters)
  }

  #setDevice(frame: Frame, paint: Paint, name: DeviceName): void {
    paint.space = frame.resources.deviceSpace(name)
    this.#painting.judge(frame, paint.space)
  }

  #setSpace(frame: Frame, paint: Paint): void {
    const name = frame.scanner.name(0)
    const space = name === null ? null : frame.resources.colourSpace(name.value)
    // What names none is gray.
    paint.space = space ?? frame.resources.deviceSpace('DeviceGray')
    paint.pattern = null
    this.#painting.judge(frame, paint.space)
  }

  #setColour(frame: Frame, paint: Paint): void {
    this.#painting.judge(frame, paint.space)
    if (paint.space.family !== 'Pattern') return
    const name = frame.scanner.name(frame.scanner.count - 1)
    const object = resource(frame, 'Pattern', name)
    const pattern = this.#graph.resolve(object)
    if (!(pattern instanceof PdfStream) && !(pattern instanceof PdfDictionary)) return
    paint.pattern = pattern
    this.#usePattern(frame, pattern, placeOf(object, frame.place))
  }

  /** Tilings have content (8.7.3), shadings a colour space (8.7.4). */
  #usePattern(frame: Frame, pattern: PdfStream | PdfDictionary, place: Place): void {
    const dictionary = pattern instanceof PdfStream ? pattern.dictionary : pattern
    if (this.#graph.resolve(dictionary.get('PatternType')) === 2) {
      this.#painting.judgeShading(frame, dictionary.get('Shading'))
    } else if (pattern instanceof PdfStream) this.#stack.enterTiling(pattern, place, frame)
  }

  #shade(frame: Frame, name: PdfName | null): void {
    this.#painting.judgeShading(frame, resource(frame, 'Shading', name))
    this.#painting.paintObject(frame)
  }

  #show(frame: Frame): void {
    const { scanner } = frame
    const { font, renderingMode } = frame.state
    this.#painting.paintText(frame)
    if (font === null) return
    let used: UsedFont | null | undefined
    const { hasActualText } = frame.marks
    const { page } = frame.place
    const showing = { isRendered: renderingMode !== invisible, hasActualText, page }
    for (let index = 0; index < scanner.count; index++) {
      if (scanner.kind(index) !== Operand.string) continue
      if (used === undefined) used = this.#fonts.of(font, frame.place)
      const bytes = scanner.stringBytes(index)
      used?.show(bytes, scanner.stringStart(index), scanner.stringEnd(index), showing)
    }
    this.#stack.enterGlyphs(font, frame)
  }

  #beginMark(frame: Frame): void {
    const properties = this.#properties(frame)
    checkActualText(this.#validation, properties?.get('ActualText'), frame.place)
    checkLanguage(this.#validation, properties?.get('Lang'), frame.place)
    frame.marks.open(properties)
  }

  /** The property list of `BDC` or `DP` (14.6.2), as far as strings and numbers stand in it. */
  #properties(frame: Frame): PdfDictionary | null {
    const { scanner } = frame
    const name = scanner.name(1)
    if (name === null) return inlineProperties(scanner)
    const list = this.#graph.resolve(resource(frame, 'Properties', name))
    return list instanceof PdfDictionary ? list : null
  }

  #draw(frame: Frame, name: PdfName | null): void {
    const object = resource(frame, 'XObject', name)
    const stream = this.#graph.resolve(object)
    if (!(stream instanceof PdfStream)) return
    this.#painting.paintObject(frame)
    const place = placeOf(object, frame.place)
    const subtype = this.#graph.resolve(stream.dictionary.get('Subtype'))
    if (isName(subtype, 'Image')) this.#images.draw(frame, stream, place)
    else if (isName(subtype, 'Form')) {
      if (this.#stack.isTranslucentForm(stream)) frame.isTranslucent = true
      this.#stack.enterForm(stream, place, frame)
    } else if (!this.#judgedPrograms.has(stream)) {
      this.#judgedPrograms.add(stream)
      checkPostScript(this.#validation, place)
    }
  }
}

/** A text rendering mode (table 104). */
const invisible = 3
const firstDeepNesting = mostNesting + 1

function resource(frame: Frame, category: ResourceCategory, name: PdfName | null): PdfObject {
  return name === null ? null : (frame.resources.get(category, name.value)?.object ?? null)
}
