import { isName, PdfDictionary, PdfName, type PdfObject, PdfStream } from '../../pdf/object.ts'
import type { ContentBudget } from '../../pdf/content/content-budget.ts'
import type { ContentGraph } from '../../pdf/content/content-graph.ts'
import type { ContentResources } from './content-resources.ts'

/** A colour space (ISO 32000-2, 8.6), after defaults have taken the place of device colour spaces. */
export type ColourSpace =
  | { readonly family: DeviceName }
  | { readonly family: 'CalGray' | 'CalRGB' | 'Lab' | 'Pattern' }
  | {
      readonly family: 'ICCBased'
      /** null where there is no stream. */
      readonly profile: PdfStream | null
    }
  | { readonly family: 'Indexed'; readonly base: ColourSpace | null }
  | Separation
  | {
      readonly family: 'DeviceN'
      /** As they stand there: names, unless the file is damaged. */
      readonly colorants: readonly PdfObject[]
      readonly alternate: ColourSpace | null
      /** The keys of `/Colorants`. */
      readonly described: ReadonlySet<string>
      /** What `/Colorants` describes. */
      readonly separations: readonly ColourSpace[]
      /** The names of `/Process`. */
      readonly processComponents: ReadonlySet<string>
      readonly process: ColourSpace | null
    }

export interface Separation {
  readonly family: 'Separation'
  readonly name: PdfObject
  readonly alternate: ColourSpace | null
  /** The array that it is; kept to compare separations of one name. */
  readonly array: readonly PdfObject[]
}

export type DeviceName = 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK'

export function isDeviceName(name: string): name is DeviceName {
  return name === 'DeviceGray' || name === 'DeviceRGB' || name === 'DeviceCMYK'
}

/** What reading colour spaces needs of a document. */
export interface ColourGraph extends ContentGraph {
  readonly contentBudget: ContentBudget
}

/** Reads the colour spaces of one content stream; each array once. */
export class ColourSpaceReader {
  readonly #graph: ColourGraph
  readonly #resources: ContentResources
  readonly #read = new Map<PdfObject[], ColourSpace | null>()
  readonly #device = new Map<DeviceName, ColourSpace>()
  readonly pattern: ColourSpace = { family: 'Pattern' }
  #depth = 0

  constructor(graph: ColourGraph, resources: ContentResources) {
    this.#graph = graph
    this.#resources = resources
  }

  device(name: DeviceName): ColourSpace {
    const known = this.#device.get(name)
    if (known) return known
    const device: ColourSpace = { family: name }
    // A default that is a device colour space stands for itself.
    this.#device.set(name, device)
    const byDefault = this.read(this.#resources.defaultSpace(name.replace('Device', 'Default')))
    if (byDefault === null || byDefault.family === 'Pattern') return device
    this.#device.set(name, byDefault)
    return byDefault
  }

  /**
   * null for what is none, or none that could be read.
   *
   * @throws {ContentBudgetError} when colour spaces share so much that they never end
   */
  read(object: PdfObject | undefined): ColourSpace | null {
    const value = this.#graph.resolve(object)
    if (this.#depth >= maxDepth) return null
    this.#depth++
    try {
      if (value instanceof PdfName) return this.#readName(value.value)
      return Array.isArray(value) ? this.#readArray(value) : null
    } finally {
      this.#depth--
    }
  }

  #readName(name: string): ColourSpace | null {
    if (isDeviceName(name)) return this.device(name)
    if (name === 'Pattern') return this.pattern
    return this.read(this.#resources.lookUp('ColorSpace', name))
  }

  #readArray(array: PdfObject[]): ColourSpace | null {
    const known = this.#read.get(array)
    if (known !== undefined) return known
    // What names itself among what it is made of is read as if that were missing.
    this.#read.set(array, null)
    const space = this.#spaceOf(array)
    this.#read.set(array, space)
    return space
  }

  #spaceOf(array: PdfObject[]): ColourSpace | null {
    const family = this.#graph.resolve(array[0])
    if (!(family instanceof PdfName)) return null
    if (array.length === 1) {
      if (isDeviceName(family.value)) return this.device(family.value)
      return family.value === 'Pattern' ? this.pattern : null
    }
    switch (family.value) {
      case 'CalGray':
      case 'CalRGB':
      case 'Lab':
      case 'Pattern':
        return { family: family.value }
      case 'ICCBased': {
        const profile = this.#graph.resolve(array[1])
        return { family: 'ICCBased', profile: profile instanceof PdfStream ? profile : null }
      }
      case 'Indexed':
        return { family: 'Indexed', base: this.read(array[1]) }
      case 'Separation':
        return {
          family: 'Separation',
          name: this.#graph.resolve(array[1]),
          alternate: this.read(array[2]),
          array,
        }
      case 'DeviceN':
        return this.#deviceN(array)
      default:
        return null
    }
  }

  #deviceN(array: PdfObject[]): ColourSpace {
    const names = this.#graph.resolve(array[1])
    const colorants = this.#dictionary(this.#dictionary(array[4])?.get('Colorants'))
    const described = [...(colorants ?? [])].filter(([, value]) => value !== null)
    const process = this.#dictionary(this.#dictionary(array[4])?.get('Process'))
    const components = this.#graph.resolve(process?.get('Components'))
    const listed = [names, described, components].map((list) =>
      Array.isArray(list) ? list.length : 0,
    )
    this.#graph.contentBudget.spend(listed.reduce((sum, count) => sum + count) * nameBytes)
    return {
      family: 'DeviceN',
      colorants: Array.isArray(names) ? names.map((name) => this.#graph.resolve(name)) : [],
      alternate: this.read(array[2]),
      described: new Set(described.map(([name]) => name)),
      separations: described.map(([, value]) => this.read(value)).filter((one) => one !== null),
      processComponents: new Set(
        (Array.isArray(components) ? components : [])
          .map((name) => this.#graph.resolve(name))
          .filter((name) => isName(name))
          .map(({ value }) => value),
      ),
      process: process === null ? null : this.read(process.get('ColorSpace')),
    }
  }

  #dictionary(object: PdfObject | undefined): PdfDictionary | null {
    const value = this.#graph.resolve(object)
    return value instanceof PdfDictionary ? value : null
  }
}

/** What a colorant costs, as bytes of content. */
const nameBytes = 64
/** Colour spaces within each other; no meaningful one nests as deep. */
const maxDepth = 16
