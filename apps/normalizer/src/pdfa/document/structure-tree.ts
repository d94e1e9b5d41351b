import { documentCatalog } from '../../pdf/catalog.ts'
import type { PdfDictionary, PdfObject } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import { checkActualText, checkLanguage, checkUnicodeName } from '../text-rules.ts'
import type { Validation } from '../validation.ts'
import type { AssociatedFiles } from './associated-files.ts'
import { dictionaryAt, entryKeys, ItemsOnce, nameAt, placeOf } from './entry.ts'
import { RoleMap } from './role-map.ts'

/** The role map and the elements of the logical structure (ISO 32000-2, 14.7), each once. */
export function checkStructureTree(
  validation: Validation,
  associated: AssociatedFiles,
  catalogPlace: Place,
): void {
  const { graph } = validation
  const reference = documentCatalog(graph).get('StructTreeRoot')
  const root = dictionaryAt(graph, reference)
  if (root === null) return
  const rootPlace = placeOf(reference, catalogPlace)
  const map = dictionaryAt(graph, root.get('RoleMap'))
  if (map !== null) checkNames(validation, map, placeOf(root.get('RoleMap'), rootPlace))
  const roles = new RoleMap(graph, map, validation.part)
  for (const { dictionary, place } of structureElements(graph, root, rootPlace)) {
    checkElement(validation, roles, dictionary, place)
    associated.add(dictionary)
  }
}

interface StructureElement {
  readonly dictionary: PdfDictionary
  readonly place: Place
}

/** Every element below the root, parents first. */
function* structureElements(
  graph: ObjectGraph,
  root: PdfDictionary,
  rootPlace: Place,
): Generator<StructureElement> {
  const seen = new Set<PdfDictionary>()
  const lists = new ItemsOnce(graph)
  const pending = [{ dictionary: root, place: rootPlace }]
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    for (const item of kidsOf(graph, lists, parent.dictionary)) {
      const dictionary = dictionaryAt(graph, item)
      if (dictionary === null || !isElement(graph, dictionary) || seen.has(dictionary)) continue
      seen.add(dictionary)
      const kid = { dictionary, place: placeOf(item, parent.place) }
      yield kid
      pending.push(kid)
    }
  }
}

/** `/K` is one kid or an array of them (14.7.2). */
function kidsOf(graph: ObjectGraph, lists: ItemsOnce, parent: PdfDictionary): readonly PdfObject[] {
  const kids = parent.get('K') ?? null
  return Array.isArray(graph.resolve(kids)) ? lists.at(kids) : [kids]
}

/** Table 355: an element need not say its type; references to marked content and to objects have to. */
function isElement(graph: ObjectGraph, kid: PdfDictionary): boolean {
  const type = nameAt(graph, kid.get('Type'))
  return type === null || type === 'StructElem'
}

function checkNames(validation: Validation, map: PdfDictionary, place: Place): void {
  for (const type of entryKeys(map)) {
    checkUnicodeName(validation, type, place)
    const name = nameAt(validation.graph, map.get(type))
    if (name !== null) checkUnicodeName(validation, name, place)
  }
}

function checkElement(
  validation: Validation,
  roles: RoleMap,
  element: PdfDictionary,
  place: Place,
): void {
  const type = nameAt(validation.graph, element.get('S'))
  validation.check(structureTypeRules, { type, roles }, place)
  if (type !== null) checkUnicodeName(validation, type, place)
  checkLanguage(validation, element.get('Lang'), place)
  checkActualText(validation, element.get('ActualText'), place)
}

interface StructureType {
  readonly type: string | null
  readonly roles: RoleMap
}

const structureTypeRules = new RuleSet<StructureType>('structure type', [
  {
    clauses: { '1a': '6.8.3.4 t1', '2a 3a': '6.7.3.4 t1' },
    description:
      'Structure types that the standard does not define are mapped to one that it defines',
    holds: ({ type, roles }) => roles.isStandard(type) || roles.roleOf(type) !== 'unknown',
    found,
  },
  {
    clauses: { '1a': '6.8.3.4 t2' },
    description: 'The role map does not lead in a circle',
    holds: ({ type, roles }) => roles.isStandard(type) || roles.roleOf(type) !== 'circular',
    found,
  },
  {
    clauses: { '2a 3a': '6.7.3.4 t2' },
    description: 'The role map does not lead in a circle',
    holds: ({ type, roles }) => roles.roleOf(type) !== 'circular',
    found,
  },
  {
    clauses: { '2a 3a': '6.7.3.4 t3' },
    description: 'The role map makes no other type of one that the standard defines',
    holds: ({ type, roles }) => !roles.isStandard(type) || roles.roleOf(type) === 'standard',
    found,
  },
])

function found({ type }: StructureType): string {
  return type === null ? 'no type' : `/${type.slice(0, 80)}`
}
