import { isName, PdfDictionary, type PdfObject, PdfStream } from '../../pdf/object.ts'
import type { ContentGraph } from '../../pdf/content/content-graph.ts'
import {
  type ColourGraph,
  type ColourSpace,
  ColourSpaceReader,
  isDeviceName,
} from './colour-space.ts'

export type ResourceCategory =
  | 'ColorSpace'
  | 'ExtGState'
  | 'Font'
  | 'Pattern'
  | 'Properties'
  | 'Shading'
  | 'XObject'

/** A resource as content names it. */
export interface NamedResource {
  /** As it stands in the dictionary: mostly a reference. */
  readonly object: PdfObject
  /** It does not stand in the content's own resources but in those of the page, or of the page's ancestors. */
  readonly isInherited: boolean
}

/**
 * What the names in one content stream stand for (ISO 32000-2, 7.8.3): its own resources, then those that it inherits.
 * Which names were inherited and which stand for nothing is kept; parts 2 to 4 of ISO 19005 ask for that.
 */
export class ContentResources {
  readonly #graph: ColourGraph
  /** Where default colour spaces are looked up. */
  readonly own: PdfDictionary | null
  readonly #inherited: ContentResources | null
  /** A page whose resources all come from its ancestors. */
  readonly #isAllInherited: boolean
  readonly #spaces: ColourSpaceReader
  readonly #named = new Map<string, ColourSpace | null>()
  readonly inheritedNames = new Set<string>()
  readonly undefinedNames = new Set<string>()

  /**
   * @param own of the stream itself; of a page without any, the nearest of its ancestors
   * @param inherited of the page, for what is drawn on it
   */
  constructor(
    graph: ColourGraph,
    own: PdfDictionary | null,
    inherited: ContentResources | null,
    isAllInherited = false,
  ) {
    this.#graph = graph
    this.#isAllInherited = isAllInherited
    this.own = own
    this.#inherited = inherited
    this.#spaces = new ColourSpaceReader(graph, this)
  }

  /** What the name stands for; null where it stands for nothing, which counts against the content. */
  get(category: ResourceCategory, name: string): NamedResource | null {
    const found = this.#find(category, name)
    if (found === null || !isOfCategory(this.#graph, category, found.object)) {
      this.#note(this.undefinedNames, name)
      return null
    }
    if (found.isInherited) this.#note(this.inheritedNames, name)
    return found
  }

  /** The colour space that `cs` or `CS` names; null for none. */
  colourSpace(name: string): ColourSpace | null {
    if (isDeviceName(name)) return this.deviceSpace(name)
    if (name === 'Pattern') return this.#spaces.pattern
    const known = this.#named.get(name)
    if (known !== undefined) return known
    const found = this.#find('ColorSpace', name)
    const space = this.#spaceOf(found)
    this.#named.set(name, space)
    if (space === null) this.#note(this.undefinedNames, name)
    else if (found?.isInherited === true) this.#note(this.inheritedNames, name)
    return space
  }

  /** The colour space that an image XObject names; one that is inherited does not count against the content. */
  imageSpace(name: string): ColourSpace | null {
    const space = this.inlineSpace(name)
    if (space === null) this.#note(this.undefinedNames, name)
    return space
  }

  /** The colour space that an inline image names; what is missing does not count against the content. */
  inlineSpace(name: string): ColourSpace | null {
    if (isDeviceName(name)) return this.deviceSpace(name)
    return name === 'Pattern' ? this.#spaces.pattern : this.#spaceOf(this.#find('ColorSpace', name))
  }

  /** The colour space that a shading, a group or an image has, named or spelled out. */
  colourSpaceOf(object: PdfObject | undefined): ColourSpace | null {
    return this.#spaces.read(object)
  }

  /** The device colour space, or what stands for it by default (8.6.5.6). */
  deviceSpace(name: 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK'): ColourSpace {
    return this.#spaces.device(name)
  }

  /** The entry of that name, without judging whether it may be used; for names within colour spaces. */
  lookUp(category: ResourceCategory, name: string): PdfObject {
    return this.#find(category, name)?.object ?? null
  }

  /** The default for a device colour space: only the content's own count. */
  defaultSpace(key: string): PdfObject {
    return entryOf(this.#graph, this.own, 'ColorSpace', key)
  }

  /** Defaults for device colour spaces are those of where the colour space stands. */
  #spaceOf(found: NamedResource | null): ColourSpace | null {
    if (found === null) return null
    const page = found.isInherited ? this.#inherited : null
    const spaces = page === null ? this.#spaces : page.#spaces
    return spaces.read(found.object)
  }

  #find(category: ResourceCategory, name: string): NamedResource | null {
    const own = entryOf(this.#graph, this.own, category, name)
    if (own !== null) return { object: own, isInherited: this.#isAllInherited }
    const inherited = entryOf(this.#graph, this.#inherited?.own ?? null, category, name)
    return inherited === null ? null : { object: inherited, isInherited: true }
  }

  #note(names: Set<string>, name: string): void {
    if (names.size < maxNotedNames) names.add(name)
  }
}

/** More than are told. */
const maxNotedNames = 8

function entryOf(
  graph: ContentGraph,
  resources: PdfDictionary | null,
  category: ResourceCategory,
  name: string,
): PdfObject {
  const named = graph.resolve(resources?.get(category))
  const object = named instanceof PdfDictionary ? (named.get(name) ?? null) : null
  return mustBeThere.has(category) && graph.resolve(object) === null ? null : object
}

/** Where a reference to nothing is no entry, as ISO 32000-2, 7.3.10, has it; other validators take others for entries. */
const mustBeThere: ReadonlySet<ResourceCategory> = new Set(['ColorSpace', 'Font', 'XObject'])

function isOfCategory(graph: ContentGraph, category: ResourceCategory, object: PdfObject): boolean {
  switch (category) {
    case 'XObject': {
      const stream = graph.resolve(object)
      if (!(stream instanceof PdfStream)) return false
      const subtype = graph.resolve(stream.dictionary.get('Subtype'))
      return isName(subtype, 'Form') || isName(subtype, 'Image') || isName(subtype, 'PS')
    }
    case 'Font': {
      const font = graph.resolve(object)
      return font instanceof PdfDictionary && isName(graph.resolve(font.get('Subtype')))
    }
    case 'Pattern': {
      const pattern = graph.resolve(object)
      const dictionary = pattern instanceof PdfStream ? pattern.dictionary : pattern
      if (!(dictionary instanceof PdfDictionary)) return false
      const type = graph.resolve(dictionary.get('PatternType'))
      return type === 1 || type === 2
    }
    default:
      return true
  }
}
