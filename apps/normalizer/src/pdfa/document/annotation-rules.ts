import { type PdfDictionary, type PdfObject, PdfStream } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { numbersOf } from '../../pdf/rectangle.ts'
import { RuleSet } from '../rule.ts'
import { dictionaryAt, entryKeys, hasEntry, nameAt } from './entry.ts'
import type { FieldTypes } from './field-types.ts'

/** What the rules ask about an annotation; each fact is looked up when it is asked for. */
export class Annotation {
  readonly #graph: ObjectGraph
  readonly #dictionary: PdfDictionary
  readonly #fieldTypes: FieldTypes
  /** As its profile spells it; null without an output intent. */
  readonly outputColourSpace: string | null
  readonly subtype: string | null
  /** Streams are no appearance dictionaries. */
  readonly appearances: PdfDictionary | null

  constructor(
    graph: ObjectGraph,
    dictionary: PdfDictionary,
    fieldTypes: FieldTypes,
    outputColourSpace: string | null,
  ) {
    this.outputColourSpace = outputColourSpace
    this.#graph = graph
    this.#dictionary = dictionary
    this.#fieldTypes = fieldTypes
    this.subtype = nameAt(graph, dictionary.get('Subtype'))
    this.appearances = dictionaryAt(graph, dictionary.get('AP'))
  }

  /** Table 167; null where there are none. */
  get flags(): number | null {
    const flags = this.#graph.resolve(this.#dictionary.get('F'))
    return typeof flags === 'number' ? Math.trunc(flags) : null
  }

  /** Whether the rectangle is a single point. */
  get isPoint(): boolean {
    const corners = numbersOf(this.#graph, this.#dictionary.get('Rect'), 4)
    return corners !== null && corners[0] === corners[2] && corners[1] === corners[3]
  }

  get opacity(): number | null {
    const opacity = this.#graph.resolve(this.#dictionary.get('CA'))
    return typeof opacity === 'number' ? opacity : null
  }

  get hasColour(): boolean {
    return ['C', 'IC'].some((key) => Array.isArray(this.#graph.resolve(this.#dictionary.get(key))))
  }

  get isButton(): boolean {
    return this.subtype === 'Widget' && this.#fieldTypes.of(this.#dictionary) === 'Btn'
  }

  /** Whether the appearance dictionary holds the normal appearance and nothing else. */
  get hasNormalAppearanceOnly(): boolean {
    if (this.appearances === null) return false
    const keys = entryKeys(this.appearances)
    return keys.length === 1 && keys[0] === 'N'
  }

  get normalAppearance(): PdfObject {
    return this.#graph.resolve(this.appearances?.get('N'))
  }

  /** Whether the normal appearance is a dictionary that has a stream for some state. */
  get hasStates(): boolean {
    const states = dictionaryAt(this.#graph, this.appearances?.get('N'))
    if (states === null) return false
    return [...states.values()].some((state) => this.#graph.resolve(state) instanceof PdfStream)
  }

  get hasAction(): boolean {
    return hasEntry(this.#dictionary, 'A')
  }

  get hasAdditionalActions(): boolean {
    return hasEntry(this.#dictionary, 'AA')
  }
}

/** Table 167. */
const flagBits = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 } as const

function isShownAndPrinted(flags: number, forbidden: readonly number[]): boolean {
  return (flags & flagBits.print) !== 0 && forbidden.every((bit) => (flags & bit) === 0)
}

const { invisible, hidden, noView, toggleNoView } = flagBits

const typesOfPart1 = words(
  'Text Link FreeText Line Square Circle Highlight Underline Squiggly StrikeOut Stamp Ink Popup Widget',
  'PrinterMark TrapNet',
)
const typesOfParts2And3 = typesOfPart1.union(
  words('Polygon PolyLine Caret FileAttachment Watermark Redact'),
)
const typesOfPart4 = typesOfPart1.union(words('Polygon PolyLine Caret Watermark Redact Projection'))
const typesOfPart4e = typesOfPart4.union(words('3D RichMedia'))
const typesOfPart4f = typesOfPart4.union(words('FileAttachment'))

/** What needs no appearance of its own. */
const withoutAppearance = words('Popup Link')
const withoutAppearanceInPart4 = words('Popup Link Projection')

function words(...lines: string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

const allowedTypes =
  'Annotations are of no type that is forbidden or that the PDF standard does not define'
const needsAppearance =
  'Annotations have an appearance, unless they are a single point, pop-ups or links'

export const annotationRules = new RuleSet<Annotation>('annotation', [
  {
    clauses: { '1': '6.5.2 t1' },
    description: allowedTypes,
    holds: ({ subtype }) => isOneOf(typesOfPart1, subtype),
    found: foundType,
  },
  {
    clauses: { '2-3': '6.3.1 t1' },
    description: allowedTypes,
    holds: ({ subtype }) => isOneOf(typesOfParts2And3, subtype),
    found: foundType,
  },
  {
    clauses: { '4 alone': '6.3.1 t1' },
    description: allowedTypes,
    holds: ({ subtype }) => isOneOf(typesOfPart4, subtype),
    found: foundType,
  },
  {
    clauses: { '4e': '6.3.1 t1' },
    description: allowedTypes,
    holds: ({ subtype }) => isOneOf(typesOfPart4e, subtype),
    found: foundType,
  },
  {
    clauses: { '4f': '6.3.1 t1' },
    description: allowedTypes,
    holds: ({ subtype }) => isOneOf(typesOfPart4f, subtype),
    found: foundType,
  },
  {
    clauses: { '1': '6.5.3 t1' },
    description: 'Annotations are opaque: /CA is 1 where there is one',
    holds: ({ opacity }) => opacity === null || opacity === 1,
    found: ({ opacity }) => `${opacity}`,
  },
  {
    clauses: { '1': '6.5.3 t2' },
    description: 'Annotations are printed and neither hidden, invisible nor kept from view',
    holds: ({ flags }) => flags !== null && isShownAndPrinted(flags, [invisible, hidden, noView]),
    found: foundFlags,
  },
  {
    clauses: { '2-4': '6.3.2 t1' },
    description: 'Annotations other than pop-ups have flags (/F)',
    holds: ({ subtype, flags }) => subtype === 'Popup' || flags !== null,
  },
  {
    clauses: { '2-4': '6.3.2 t2' },
    description: 'Annotations are printed and neither hidden, invisible nor kept from view',
    holds: ({ flags }) =>
      flags === null || isShownAndPrinted(flags, [invisible, hidden, noView, toggleNoView]),
    found: foundFlags,
  },
  {
    clauses: { '1': '6.5.3 t3' },
    description: 'Annotations have colours (/C, /IC) only where the output intent is of RGB',
    holds: ({ hasColour, outputColourSpace }) => !hasColour || outputColourSpace === 'RGB ',
  },
  {
    clauses: { '2-3': '6.3.3 t1' },
    description: needsAppearance,
    holds: (facts) =>
      facts.isPoint || isOneOf(withoutAppearance, facts.subtype) || facts.appearances !== null,
    found: foundType,
  },
  {
    clauses: { '4': '6.3.3 t1' },
    description: needsAppearance,
    holds: (facts) =>
      facts.isPoint ||
      isOneOf(withoutAppearanceInPart4, facts.subtype) ||
      facts.appearances !== null,
    found: foundType,
  },
  {
    clauses: { '1': '6.5.3 t4', '2-4': '6.3.3 t2' },
    description:
      'Appearance dictionaries of annotations have a normal appearance (/N) and no other',
    holds: (facts) => facts.appearances === null || facts.hasNormalAppearanceOnly,
  },
  {
    clauses: { '1': '6.5.3 t5', '2-4': '6.3.3 t3' },
    description: 'The normal appearance of a button is a dictionary with its states',
    holds: (facts) => !facts.hasNormalAppearanceOnly || !facts.isButton || facts.hasStates,
  },
  {
    clauses: { '1': '6.5.3 t6', '2-4': '6.3.3 t4' },
    description: 'The normal appearance of anything but a button is a stream',
    holds: (facts) =>
      !facts.hasNormalAppearanceOnly ||
      facts.isButton ||
      facts.normalAppearance instanceof PdfStream,
  },
])

function isOneOf(types: ReadonlySet<string>, type: string | null): boolean {
  return type !== null && types.has(type)
}

function foundType({ subtype }: Annotation): string {
  return subtype === null ? 'no type' : `/${subtype}`
}

function foundFlags({ flags }: Annotation): string {
  return flags === null ? 'no flags' : `/F ${flags}`
}

export const widgetRules = new RuleSet<Annotation>('widget', [
  {
    clauses: { '1': '6.9 t2' },
    description: 'Widgets have an appearance dictionary',
    holds: ({ appearances }) => appearances !== null,
  },
  {
    clauses: { '1': '6.6.1 t3', '4': '6.4.1 t1' },
    description: 'Widgets have no action (/A)',
    holds: ({ hasAction }) => !hasAction,
  },
  {
    // In parts 2 and 3 what trigger events may set off (6.5.2) says once more what 6.4.1 says of forms.
    clauses: { '1': '6.6.2 t1', '2-3': '6.5.2 t3' },
    description: 'Widgets have no additional actions (/AA)',
    holds: ({ hasAdditionalActions }) => !hasAdditionalActions,
  },
  {
    clauses: { '2-3': '6.4.1 t1' },
    description: 'Widgets have neither an action (/A) nor additional actions (/AA)',
    holds: ({ hasAction, hasAdditionalActions }) => !hasAction && !hasAdditionalActions,
  },
])
