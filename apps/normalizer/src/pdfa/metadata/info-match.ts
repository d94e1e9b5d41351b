import { type PdfDictionary, type PdfObject, PdfString } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { decodeTextString } from '../../pdf/text-string.ts'
import { xmpNamespaces } from '../../pdf/metadata/xmp.ts'
import { type Rule, RuleSet } from '../rule.ts'
import { xmpMoment } from './xmp-date.ts'
import { findNode, simpleText, type XmpNode } from './xmp-node.ts'

/** The document information dictionary beside the properties that say the same (ISO 19005-1, 6.7.3). */
export interface InfoFacts {
  readonly graph: ObjectGraph
  readonly info: PdfDictionary
  readonly properties: readonly XmpNode[]
}

const { dc, pdf } = xmpNamespaces
const xmp = 'http://ns.adobe.com/xap/1.0/'

/** Each entry with the property that is its analogue. */
const analogueRules: readonly Rule<InfoFacts>[] = [
  dateRule(1, 'CreationDate', 'CreateDate'),
  textRule(2, 'Title', 'dc:title', (properties) => defaultText(findNode(properties, dc, 'title'))),
  textRule(3, 'Author', 'the only dc:creator', (properties) =>
    onlyText(findNode(properties, dc, 'creator')),
  ),
  textRule(4, 'Subject', 'dc:description', (properties) =>
    defaultText(findNode(properties, dc, 'description')),
  ),
  textRule(5, 'Keywords', 'pdf:Keywords', (properties) =>
    simpleText(findNode(properties, pdf, 'Keywords')),
  ),
  textRule(6, 'Creator', 'xmp:CreatorTool', (properties) =>
    simpleText(findNode(properties, xmp, 'CreatorTool')),
  ),
  textRule(7, 'Producer', 'pdf:Producer', (properties) =>
    simpleText(findNode(properties, pdf, 'Producer')),
  ),
  dateRule(8, 'ModDate', 'ModifyDate'),
]

export const infoRules = new RuleSet<InfoFacts>('document information dictionary', [
  ...analogueRules,
  {
    // What 6.7.3 says of each entry, 6.1.5 says of the dictionary.
    clauses: { '1': '6.1.5 t1' },
    description: 'Entries of the document information dictionary are in the metadata, too',
    holds: (facts) => analogueRules.every(({ holds }) => holds(facts)),
  },
  {
    clauses: { '4': '6.1.3 t5' },
    description: 'A document information dictionary has ModDate and no other entry',
    holds: ({ graph, info }) => {
      const keys = [...info]
        .filter(([, value]) => graph.resolve(value) !== null)
        .map(([key]) => key)
      return keys.length === 1 && infoText(graph, info.get('ModDate')) !== null
    },
  },
])

/** @param property the text of the property; null when it has none */
function textRule(
  test: number,
  key: string,
  analogue: string,
  property: (properties: readonly XmpNode[]) => string | null,
): Rule<InfoFacts> {
  return {
    clauses: { '1': `6.7.3 t${test}` },
    description: `${key} of the document information dictionary says what ${analogue} says`,
    holds: ({ graph, info, properties }) => {
      const value = graph.resolve(info.get(key))
      if (value === null) return true
      return (infoText(graph, value) ?? numberText(value)) === (property(properties) ?? undefined)
    },
  }
}

function dateRule(test: number, key: string, name: string): Rule<InfoFacts> {
  return {
    clauses: { '1': `6.7.3 t${test}` },
    description: `${key} of the document information dictionary is the moment that xmp:${name} is`,
    holds: ({ graph, info, properties }) => {
      const text = infoText(graph, info.get(key))
      if (text === null) return true
      const moment = infoMoment(text)
      const analogue = simpleText(findNode(properties, xmp, name))
      return moment !== null && analogue !== null && moment === xmpMoment(analogue)
    },
  }
}

/** A terminating zero, as of a string of C, is no part of the text. */
function infoText(graph: ObjectGraph, object: PdfObject | undefined): string | null {
  const value = graph.resolve(object)
  return value instanceof PdfString ? decodeTextString(value).replace(/\0$/, '') : null
}

/** A number is taken for the text that it looks like; a value of another type is equal to no text. */
function numberText(value: PdfObject): string | undefined {
  return typeof value === 'number' ? String(value) : undefined
}

/** The text of a language alternative for those who ask for no language. */
function defaultText(node: XmpNode | undefined): string | null {
  if (node?.value.kind !== 'array' || node.value.form !== 'Alt') return null
  const [first, ...others] = node.value.items
  const chosen = others.find(isDefault) ?? first
  return chosen && chosen.language !== null ? simpleText(chosen) : null
}

function isDefault({ language }: XmpNode): boolean {
  return language?.toLowerCase() === 'x-default'
}

/** The text of an ordered array with one item. */
function onlyText(node: XmpNode | undefined): string | null {
  if (node?.value.kind !== 'array' || node.value.form === 'Bag') return null
  return node.value.items.length === 1 ? simpleText(node.value.items[0]) : null
}

/**
 * The moment that a date string names (PDF Reference 1.4, 3.8.2), in milliseconds; without a zone it is taken as UTC,
 * and so is a zone that is none.
 */
function infoMoment(text: string): number | null {
  const [, year, month, day, hour, minute, second, sign, zoneHour, zoneMinute] =
    infoDate.exec(text) ?? []
  if (year === undefined) return null
  const milliseconds = Date.UTC(
    Number(year),
    Number(month ?? 1) - 1,
    Number(day ?? 1),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  )
  const isZone = Number(zoneHour ?? 0) <= 23 && Number(zoneMinute ?? 0) <= 59
  const offset = isZone ? (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * 60_000 : 0
  return milliseconds - (sign === '-' ? -offset : offset)
}

const infoDate =
  /^D:(\d{4})(?:(0[1-9]|1[0-2])(?:(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])(?:([0-5]\d)(?:([0-5]\d)(?:Z(?:00)?'?(?:00)?'?|([+-])(?:(\d\d))?(?:'(\d\d)?'?)?)?)?)?)?)?)?$/
