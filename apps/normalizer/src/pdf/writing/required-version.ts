import { type PdfDictionary, PdfName, type PdfObject } from '../object.ts'

const pdfVersions = ['1.4', '1.5', '1.6', '1.7', '2.0'] as const
export type PdfVersion = (typeof pdfVersions)[number]

/** The later of two versions. */
export function laterVersion(one: PdfVersion, other: PdfVersion): PdfVersion {
  return pdfVersions.indexOf(one) >= pdfVersions.indexOf(other) ? one : other
}

/**
 * The version that what stands in this dictionary itself needs, without what it contains: `1.5` unless a feature of a
 * later one is met. Nothing older is told apart, for 1.5 is what object streams ask anyway.
 *
 * @param resolve what a value stands for
 */
export function requiredVersion(
  dictionary: PdfDictionary,
  resolve: (value: PdfObject) => PdfObject,
): PdfVersion {
  let version: PdfVersion = '1.5'
  for (const [key, value] of dictionary) {
    const feature = features.get(key)
    if (feature !== undefined) version = laterVersion(version, feature(resolve(value)))
  }
  return version
}

type Feature = (value: PdfObject) => PdfVersion

/** By the "PDF 1.6", "PDF 1.7" and "PDF 2.0" marks of ISO 32000-2; the shape keeps resource names from counting. */
const features: ReadonlyMap<string, Feature> = new Map([
  // Table 31: pages.
  ['UserUnit', number('1.6')],
  ['VP', array('1.6')],
  ['DPart', notName('2.0')],
  // Table 29: the catalog.
  ['Collection', notName('1.7')],
  ['Requirements', array('1.7')],
  ['DPartRoot', notName('2.0')],
  // Table 147: viewer preferences.
  ['PrintScaling', names({ None: '1.6', AppDefault: '1.6' })],
  ['Duplex', names({ Simplex: '1.7', DuplexFlipShortEdge: '1.7', DuplexFlipLongEdge: '1.7' })],
  ['NumCopies', number('1.7')],
  ['PrintPageRange', array('1.7')],
  ['Enforce', array('2.0')],
  // Table 99: optional content by visibility expression.
  ['VE', array('1.6')],
  // Tables 71 and 72: DeviceN.
  ['MixingHints', notName('1.6')],
  ['SpectralData', notName('2.0')],
  // Table 57: graphics state.
  ['UseBlackPtComp', names({ ON: '2.0', OFF: '2.0', Default: '2.0' })],
  ['HTO', array('2.0')],
  // Table 354: structure.
  ['Namespaces', array('2.0')],
  // 14.13: associated files.
  ['AF', notName('2.0')],
  // Tables 71, 124 and 171: DeviceN, embedded font programs, annotations.
  [
    'Subtype',
    names({
      NChannel: '1.6',
      OpenType: '1.6',
      Watermark: '1.6',
      Redact: '1.7',
      Projection: '2.0',
    }),
  ],
] satisfies [string, Feature][])

const noNeed: PdfVersion = '1.5'

function number(version: PdfVersion): Feature {
  return (value) => (typeof value === 'number' ? version : noNeed)
}

function array(version: PdfVersion): Feature {
  return (value) => (Array.isArray(value) ? version : noNeed)
}

function notName(version: PdfVersion): Feature {
  return (value) => (value === null || value instanceof PdfName ? noNeed : version)
}

function names(versions: Readonly<Record<string, PdfVersion>>): Feature {
  const byName = new Map(Object.entries(versions))
  return (value) => (value instanceof PdfName ? (byName.get(value.value) ?? noNeed) : noNeed)
}
