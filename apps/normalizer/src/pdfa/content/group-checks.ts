import { isName, PdfDictionary, type PdfObject } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { isDeviceName } from './colour-space.ts'
import {
  type ColourContext,
  type ColourSpaceChecks,
  noBlendingSpace,
} from './colour-space-checks.ts'
import type { ContentResources } from './content-resources.ts'

/** The groups of pages and forms (ISO 32000-2, 11.6.6). */
export class GroupChecks {
  readonly #validation: Validation
  readonly #colours: ColourSpaceChecks

  constructor(validation: Validation, colours: ColourSpaceChecks) {
    this.#validation = validation
    this.#colours = colours
  }

  /**
   * Judges the group, if there is one; what holds for colours within it.
   *
   * @param context what holds around it
   */
  contextWithin(
    holder: PdfDictionary,
    resources: ContentResources,
    context: ColourContext,
    place: Place,
    isPage = false,
  ): ColourContext {
    const { graph } = this.#validation
    const group = graph.resolve(holder.get('Group'))
    if (!(group instanceof PdfDictionary)) return context
    const isTransparency = isTransparencyGroup(graph, holder)
    this.#validation.check(groupRules, { isTransparency }, place)
    const space = resources.colourSpaceOf(group.get('CS'))
    if (space === null) return context
    this.#colours.check(space, context, place, 'group')
    // 11.6.6: a group of any other type composes nothing.
    if (!isTransparency) return context
    // 11.4.5: groups that are not isolated compose in the colour space of what is around them.
    if (!isPage && graph.resolve(group.get('I')) !== true) return context
    const isOfDevice = isDeviceSpace(graph, group.get('CS'))
    const blending = isOfDevice ? noBlendingSpace : this.#colours.blendingSpaceOf(space)
    return { ...context, blending }
  }
}

export function isTransparencyGroup(graph: ObjectGraph, holder: PdfDictionary): boolean {
  const group = graph.resolve(holder.get('Group'))
  return group instanceof PdfDictionary && isName(graph.resolve(group.get('S')), 'Transparency')
}

/** Device colour spaces leave the blending space to the output intent, whatever stands for them by default. */
function isDeviceSpace(graph: ObjectGraph, object: PdfObject | undefined): boolean {
  const value = graph.resolve(object)
  const name = Array.isArray(value) && value.length === 1 ? graph.resolve(value[0]) : value
  return isName(name) && isDeviceName(name.value)
}

const groupRules = new RuleSet<{ readonly isTransparency: boolean }>('group', [
  {
    clauses: { '1': '6.4 t3' },
    description: 'Groups are no transparency groups',
    holds: ({ isTransparency }) => !isTransparency,
  },
])
