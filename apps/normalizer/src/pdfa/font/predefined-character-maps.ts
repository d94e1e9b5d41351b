import type { Part } from '../flavour.ts'
import type { CharacterCollection } from './character-map-rules.ts'

/** Whether ISO 32000 lists the CMap as one that every reader has (ISO 32000-2, table 116). */
export function isPredefinedMap(name: string): boolean {
  return name === 'Identity-H' || name === 'Identity-V' || supplements.has(name)
}

/**
 * The character collection of a predefined CMap, as the version of PDF on which the part of ISO 19005 builds has it; null for
 * other names. PDF 1.4 has no maps from UTF-16 (PDF Reference 1.4, table 5.14); PDF 2.0 speaks of the latest supplements, and
 * of Adobe-KR for Korean.
 */
export function predefinedCollection(name: string, part: Part): CharacterCollection | null {
  const supplement = supplements.get(name)
  if (supplement === undefined || (part === 1 && name.includes('UTF16'))) return null
  const ordering = orderingOf(name)
  if (part !== 4) return { registry: 'Adobe', ordering, supplement }
  const latest = latestSupplements[ordering]
  return {
    registry: 'Adobe',
    ordering: ordering === 'Korea1' ? 'KR' : ordering,
    supplement: latest,
  }
}

type Ordering = keyof typeof latestSupplements

const latestSupplements = { GB1: 5, CNS1: 7, Japan1: 7, Korea1: 9 } as const

function orderingOf(name: string): Ordering {
  if (/^(GB|UniGB)/.test(name)) return 'GB1'
  if (/^(KSC|UniKS)/.test(name)) return 'Korea1'
  return /^(B5|HK|ET|CNS|UniCNS)/.test(name) ? 'CNS1' : 'Japan1'
}

/** By the supplements that the maps reach up to (ISO 32000-1, table 118, and the maps themselves). */
const supplements: ReadonlyMap<string, number> = new Map(
  [
    'GB-EUC-H GB-EUC-V GBpc-EUC-H GBpc-EUC-V B5pc-H B5pc-V ETen-B5-H ETen-B5-V ETenms-B5-H ETenms-B5-V ' +
      'CNS-EUC-H CNS-EUC-V KSC-EUC-H KSC-EUC-V KSCpc-EUC-H',
    '83pv-RKSJ-H 90pv-RKSJ-H Add-RKSJ-H Add-RKSJ-V EUC-H EUC-V H V KSCms-UHC-H KSCms-UHC-V ' +
      'KSCms-UHC-HW-H KSCms-UHC-HW-V UniKS-UCS2-H UniKS-UCS2-V',
    'GBK-EUC-H GBK-EUC-V GBKp-EUC-H GBKp-EUC-V 90ms-RKSJ-H 90ms-RKSJ-V 90msp-RKSJ-H 90msp-RKSJ-V ' +
      'Ext-RKSJ-H Ext-RKSJ-V UniKS-UTF16-H UniKS-UTF16-V',
    'HKscs-B5-H HKscs-B5-V UniCNS-UCS2-H UniCNS-UCS2-V',
    'GBK2K-H GBK2K-V UniGB-UCS2-H UniGB-UCS2-V UniGB-UTF16-H UniGB-UTF16-V UniCNS-UTF16-H UniCNS-UTF16-V ' +
      'UniJIS-UCS2-H UniJIS-UCS2-V UniJIS-UCS2-HW-H UniJIS-UCS2-HW-V',
    'UniJIS-UTF16-H UniJIS-UTF16-V',
  ].flatMap((names, supplement) => names.split(' ').map((name) => [name, supplement] as const)),
)
