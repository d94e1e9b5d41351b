import { xmpNamespaces } from '../../pdf/metadata/xmp.ts'
import type { Part } from '../flavour.ts'
import { type FlavourGroup, type Rule, RuleSet } from '../rule.ts'
import { findNode, simpleText, type XmpNode } from './xmp-node.ts'

/** The properties of the PDF/A identification schema, as far as they are there. */
export interface Identification {
  /** Null when it is no number. */
  readonly part: number | null
  /** Null when they are no text. */
  readonly conformance: string | null
  readonly rev: string | null
  /** The prefix of each property that is there; null for one without a prefix and for one that is not there. */
  readonly prefixes: Readonly<Record<IdentificationProperty, string | null>>
}

type IdentificationProperty = 'part' | 'conformance' | 'amd' | 'corr' | 'rev'

/** Null when no property of the packet is of the schema. */
export function identificationIn(properties: readonly XmpNode[]): Identification | null {
  const own = properties.filter(({ namespace }) => namespace === xmpNamespaces.pdfaid)
  if (own.length === 0) return null
  const property = (name: IdentificationProperty): XmpNode | undefined =>
    findNode(own, xmpNamespaces.pdfaid, name)
  const prefix = (name: IdentificationProperty): string | null => property(name)?.prefix || null
  const part = simpleText(property('part'))
  return {
    part: part !== null && /^[+-]?\d+$/.test(part) ? Number(part) : null,
    conformance: simpleText(property('conformance')),
    rev: simpleText(property('rev')),
    prefixes: {
      part: prefix('part'),
      conformance: prefix('conformance'),
      amd: prefix('amd'),
      corr: prefix('corr'),
      rev: prefix('rev'),
    },
  }
}

export const mainPacketRules = new RuleSet<Identification | null>('XMP packet of the document', [
  {
    clauses: { '1': '6.7.11 t1', '2-3': '6.6.4 t1', '4': '6.7.3 t1' },
    description: 'The metadata of a document names the part of ISO 19005 that it conforms to',
    holds: (identification) => identification !== null,
  },
])

export const identificationRules = new RuleSet<Identification>('PDF/A identification', [
  partRule(1, '1', '6.7.11 t2'),
  partRule(2, '2', '6.6.4 t2'),
  partRule(3, '3', '6.6.4 t2'),
  partRule(4, '4', '6.7.3 t2'),
  conformanceRule(['A'], '1a', '6.7.11 t3'),
  conformanceRule(['A', 'B'], '1b', '6.7.11 t3'),
  conformanceRule(['A'], '2a 3a', '6.6.4 t3'),
  conformanceRule(['A', 'B', 'U'], '2b 3b', '6.6.4 t3'),
  conformanceRule(['A', 'U'], '2u 3u', '6.6.4 t3'),
  conformanceRule([null], '4 alone', '6.7.3 t3'),
  conformanceRule(['E'], '4e', '6.7.3 t3'),
  conformanceRule(['F'], '4f', '6.7.3 t3'),
  prefixRule('part', { '1': '6.7.11 t4', '2-3': '6.6.4 t4', '4': '6.7.3 t4' }),
  prefixRule('conformance', { '1': '6.7.11 t5', '2-3': '6.6.4 t5' }),
  prefixRule('amd', { '1': '6.7.11 t6', '2-3': '6.6.4 t6' }),
  prefixRule('corr', { '2-3': '6.6.4 t7' }),
  {
    clauses: { '4': '6.7.3 t5' },
    description: 'pdfaid:rev is 2020',
    holds: ({ rev }) => rev === '2020',
    found: ({ rev }) => rev ?? 'absent',
  },
  prefixRule('rev', { '4': '6.7.3 t6' }),
])

function partRule(part: Part, group: FlavourGroup, clause: string): Rule<Identification> {
  return {
    clauses: { [group]: clause },
    description: `pdfaid:part is ${part}`,
    holds: (identification) => identification.part === part,
    found: (identification) => String(identification.part ?? 'no number'),
  }
}

/** A file conforms to the lower levels of its part as well. */
function conformanceRule(
  allowed: readonly (string | null)[],
  group: FlavourGroup,
  clause: string,
): Rule<Identification> {
  const values = allowed.map((value) => value ?? 'absent').join(' or ')
  return {
    clauses: { [group]: clause },
    description: `pdfaid:conformance is ${values}`,
    holds: ({ conformance }) => allowed.includes(conformance),
    found: ({ conformance }) => conformance ?? 'absent',
  }
}

function prefixRule(
  name: IdentificationProperty,
  clauses: Partial<Record<FlavourGroup, string>>,
): Rule<Identification> {
  return {
    clauses,
    description: `The prefix of pdfaid:${name} is pdfaid`,
    holds: ({ prefixes }) => prefixes[name] === null || prefixes[name] === 'pdfaid',
  }
}
