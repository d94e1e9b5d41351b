import { isName, PdfDictionary, PdfName, type PdfObject } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { Place } from '../failures.ts'
import { checkUnicodeName } from '../text-rules.ts'
import type { Validation } from '../validation.ts'

/** The names of fonts and colorants in the resources of content that is drawn, used or not. */
export function checkResourceNames(
  validation: Validation,
  resources: PdfDictionary,
  place: Place,
): void {
  if (validation.part === 1) return
  const { graph } = validation
  for (const font of valuesOf(graph, resources.get('Font'))) {
    const name = font instanceof PdfDictionary ? graph.resolve(font.get('BaseFont')) : null
    if (name instanceof PdfName) checkUnicodeName(validation, name.value, place)
  }
  const judged = new Set<PdfObject>()
  for (const space of valuesOf(graph, resources.get('ColorSpace'))) {
    if (!Array.isArray(space)) continue
    const colorants = graph.resolve(space[1])
    if (judged.has(colorants)) continue
    judged.add(colorants)
    for (const name of colorantsOf(graph, space)) checkUnicodeName(validation, name, place)
  }
}

function colorantsOf(graph: ObjectGraph, space: readonly PdfObject[]): string[] {
  const family = graph.resolve(space[0])
  const names = graph.resolve(space[1])
  if (isName(family, 'Separation')) return names instanceof PdfName ? [names.value] : []
  if (!isName(family, 'DeviceN') || !Array.isArray(names)) return []
  return names
    .map((name) => graph.resolve(name))
    .filter((name) => isName(name))
    .map(({ value }) => value)
}

function valuesOf(graph: ObjectGraph, object: PdfObject | undefined): PdfObject[] {
  const dictionary = graph.resolve(object)
  if (!(dictionary instanceof PdfDictionary)) return []
  return [...dictionary.values()].map((value) => graph.resolve(value))
}
