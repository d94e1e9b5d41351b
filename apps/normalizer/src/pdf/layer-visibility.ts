import { documentCatalog } from './catalog.ts'
import { isName, PdfDictionary, type PdfObject, PdfReference } from './object.ts'
import type { ObjectGraph } from './object-graph.ts'

/** Which layers (optional content groups, ISO 32000-2, 8.11) a viewer shows when it opens the document. */
export interface LayerVisibility {
  /** Whether no layer is off, so that only a membership dictionary can hide anything. */
  readonly allOn: boolean
  /**
   * Object numbers of the layers that hide what has this `/OC`, or of the membership dictionary where its layers are
   * on; none when it is shown.
   */
  hiding(membership: PdfObject | undefined): readonly number[]
}

/** null for a document without layers. */
export function layerVisibility(graph: ObjectGraph): LayerVisibility | null {
  const properties = dictionaryIn(graph, documentCatalog(graph), 'OCProperties')
  if (!properties) return null
  const configuration = dictionaryIn(graph, properties, 'D') ?? new PdfDictionary()
  const off = layersOff(graph, properties, configuration)
  const isOn = (group: PdfObject): boolean => !(group instanceof PdfDictionary && off.has(group))
  return {
    allOn: off.size === 0,
    hiding: (membership) => hidingNumbers(graph, membership, isOn),
  }
}

/** 8.11.4.3 and 8.11.4.4: the base state, then ON and OFF, then what usage asks for when the document is viewed. */
function layersOff(
  graph: ObjectGraph,
  properties: PdfDictionary,
  configuration: PdfDictionary,
): Set<PdfDictionary> {
  const off = new Set<PdfDictionary>()
  const all = groupsIn(graph, properties.get('OCGs'))
  if (isName(graph.resolve(configuration.get('BaseState')), 'OFF'))
    for (const one of all) off.add(one)
  for (const group of groupsIn(graph, configuration.get('ON'))) off.delete(group)
  for (const group of groupsIn(graph, configuration.get('OFF'))) off.add(group)
  for (const { group, isOn } of statesByUsage(graph, configuration)) {
    if (isOn) off.delete(group)
    else off.add(group)
  }
  const intents = intentsOf(graph, configuration)
  for (const group of off) if (!sharesIntent(intents, intentsOf(graph, group))) off.delete(group)
  return off
}

/** `/AS`: what the usage of each group says for each category that counts; one that is against it is enough. */
function* statesByUsage(
  graph: ObjectGraph,
  configuration: PdfDictionary,
): Generator<{ group: PdfDictionary; isOn: boolean }> {
  for (const application of groupsIn(graph, configuration.get('AS'))) {
    if (!isName(graph.resolve(application.get('Event')), 'View')) continue
    const categories = namesIn(graph, application.get('Category'))
    for (const group of groupsIn(graph, application.get('OCGs'))) {
      const usage = dictionaryIn(graph, group, 'Usage')
      const wishes = usage ? categories.map((one) => wishOf(graph, usage, one)) : []
      const told = wishes.filter((wish) => wish !== null)
      if (told.length > 0) yield { group, isOn: told.every(Boolean) }
    }
  }
}

/** Table 100. Language and user depend on who views: null, as for what says nothing. */
function wishOf(graph: ObjectGraph, usage: PdfDictionary, category: string): boolean | null {
  const entry = dictionaryIn(graph, usage, category)
  if (!entry) return null
  if (category === 'Zoom') {
    const [least, most] = [graph.resolve(entry.get('min')), graph.resolve(entry.get('max'))]
    // A document opens at its own size.
    return (typeof least !== 'number' || least <= 1) && (typeof most !== 'number' || most > 1)
  }
  const state = graph.resolve(entry.get(`${category}State`))
  return isName(state) ? state.value !== 'OFF' : null
}

/** 8.11.2.3: a group whose intent the configuration does not share has no effect. */
function intentsOf(graph: ObjectGraph, holder: PdfDictionary): string[] {
  const intent = graph.resolve(holder.get('Intent'))
  return intent === null ? ['View'] : namesIn(graph, intent)
}

function sharesIntent(configuration: readonly string[], group: readonly string[]): boolean {
  return configuration.includes('All') || group.some((intent) => configuration.includes(intent))
}

type IsOn = (group: PdfObject) => boolean

function hidingNumbers(
  graph: ObjectGraph,
  membership: PdfObject | undefined,
  isOn: IsOn,
): readonly number[] {
  const dictionary = graph.resolve(membership)
  if (!(dictionary instanceof PdfDictionary)) return []
  const own = membership instanceof PdfReference ? [membership.number] : []
  if (!isMembership(graph, dictionary)) return isOn(dictionary) ? [] : own
  if (isShown(graph, dictionary, isOn)) return []

  const members = memberReferences(graph, dictionary)
  const off = members.filter((member) => !isOn(graph.resolve(member)))
  if (off.length > 0) return off.map(({ number }) => number)
  return own.length > 0 ? own : members.map(({ number }) => number)
}

function isMembership(graph: ObjectGraph, dictionary: PdfDictionary): boolean {
  const type = graph.resolve(dictionary.get('Type'))
  if (isName(type)) return type.value === 'OCMD'
  return ['OCGs', 'VE'].some((key) => graph.resolve(dictionary.get(key)) !== null)
}

/** 8.11.2.2: the expression goes before the policy. */
function isShown(graph: ObjectGraph, membership: PdfDictionary, isOn: IsOn): boolean {
  const expression = graph.resolve(membership.get('VE'))
  if (Array.isArray(expression)) {
    const result = evaluate(graph, expression, isOn, { left: maxExpression }, 0)
    if (result !== null) return result
  }
  const states = memberReferences(graph, membership)
    .map((member) => graph.resolve(member))
    .filter((group) => group instanceof PdfDictionary)
    .map(isOn)
  if (states.length === 0) return true
  const policy = graph.resolve(membership.get('P'))
  switch (isName(policy) ? policy.value : 'AnyOn') {
    case 'AllOn':
      return states.every(Boolean)
    case 'AnyOff':
      return !states.every(Boolean)
    case 'AllOff':
      return !states.some(Boolean)
    default:
      return states.some(Boolean)
  }
}

/** Operators and operands of one visibility expression, and how deep they nest; larger ones count as unreadable. */
const maxExpression = 1000
const maxExpressionDepth = 32

/** null for what is no expression. */
function evaluate(
  graph: ObjectGraph,
  expression: PdfObject,
  isOn: IsOn,
  budget: { left: number },
  depth: number,
): boolean | null {
  if (budget.left-- <= 0 || depth > maxExpressionDepth) return null
  if (expression instanceof PdfDictionary) return isOn(expression)
  if (!Array.isArray(expression)) return null
  const [operator, ...operands] = expression.map((item) => graph.resolve(item))
  if (!isName(operator) || operands.length === 0) return null
  const values: boolean[] = []
  for (const operand of operands) {
    const value = evaluate(graph, operand, isOn, budget, depth + 1)
    if (value === null) return null
    values.push(value)
  }
  if (operator.value === 'And') return values.every(Boolean)
  if (operator.value === 'Or') return values.some(Boolean)
  return operator.value === 'Not' ? values[0] !== true : null
}

function memberReferences(graph: ObjectGraph, membership: PdfDictionary): PdfReference[] {
  const member = membership.get('OCGs')
  const resolved = graph.resolve(member)
  const members = Array.isArray(resolved) ? resolved : [member]
  return members.filter((one) => one instanceof PdfReference)
}

function groupsIn(graph: ObjectGraph, list: PdfObject | undefined): PdfDictionary[] {
  const items = graph.resolve(list)
  if (!Array.isArray(items)) return []
  return items.map((item) => graph.resolve(item)).filter((item) => item instanceof PdfDictionary)
}

function namesIn(graph: ObjectGraph, value: PdfObject | undefined): string[] {
  const resolved = graph.resolve(value)
  const items = Array.isArray(resolved) ? resolved.map((item) => graph.resolve(item)) : [resolved]
  return items.filter((item) => isName(item)).map((name) => name.value)
}

function dictionaryIn(
  graph: ObjectGraph,
  holder: PdfDictionary,
  key: string,
): PdfDictionary | null {
  const value = graph.resolve(holder.get(key))
  return value instanceof PdfDictionary ? value : null
}
