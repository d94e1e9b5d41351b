import { catalogVersion, catalogXmp } from '../pdf/catalog.ts'
import { CR, LF, skipWhiteSpace } from '../pdf/reading/character-set.ts'
import { PdfReference } from '../pdf/object.ts'
import { pdfaClaim } from '../pdf/metadata/pdfa-claim.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import type { Anomaly, Location } from './anomaly.ts'
import { foreignFormat, holdsAny, holdsObject } from './foreign-data.ts'
import { objectLocation } from './object-location.ts'
import type { TamperEvidence } from './tamper-evidence.ts'
import { usesTransparency } from './transparency.ts'

/** The header, what stands before it, and whether the file keeps to the version that it names. */
export function headerVersionMismatch({ file }: TamperEvidence): Anomaly[] {
  return [
    ...headerItself(file),
    ...beforeHeader(file),
    ...secondHeader(file),
    ...againstCatalog(file),
    ...againstFeatures(file),
  ]
}

const knownVersions = /^(1\.[0-7]|2\.0)$/

function headerItself({ header, graph }: PdfFile): Anomaly[] {
  if (header.version !== null && knownVersions.test(header.version)) return []
  if (header.version !== null && isPdfa4Version(header.version, graph)) return []
  const description =
    header.offset === null
      ? 'The file has no header.'
      : 'The header names a version of PDF that does not exist.'
  return [anomaly('medium', description, { start: header.offset ?? 0 })]
}

/** ISO 19005-4, 6.1.2: files of PDF/A-4 may name any minor version of 2. */
function isPdfa4Version(version: string, graph: ObjectGraph): boolean {
  return /^2\.\d$/.test(version) && pdfaClaim(catalogXmp(graph) ?? [])?.part === 4
}

/** A byte order mark or a little white space is what text editors leave; the rest is another file. */
function beforeHeader({ bytes, header }: PdfFile): Anomaly[] {
  const { offset } = header
  if (offset === null || offset === 0) return []
  const before = bytes.subarray(0, offset)
  const isMark = offset === 3 && before[0] === 0xef && before[1] === 0xbb && before[2] === 0xbf
  if (isMark || (offset <= 8 && skipWhiteSpace(before, 0, offset) === offset)) return []

  const grave =
    holdsObject(bytes, 0, offset) || holdsAny(before, ['%PDF-']) || foreignFormat(before) !== null
  const what = grave ? ', which begin another file' : ''
  const description = `${offset} bytes stand before the header${what}.`
  return [anomaly(grave ? 'high' : 'low', description, { start: 0, end: offset })]
}

/** A second header at the start of a line: two files in one. Those within streams are embedded files. */
function secondHeader(file: PdfFile): Anomaly[] {
  const { bytes, header } = file
  if (header.offset === null) return []
  const end = file.endOfFile ?? bytes.length
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, end)
  for (
    let at = buffer.indexOf('%PDF-', header.offset + 5, 'latin1');
    at >= 0;
    at = buffer.indexOf('%PDF-', at + 5, 'latin1')
  ) {
    const startsLine = buffer[at - 1] === LF || buffer[at - 1] === CR
    if (!startsLine || file.isInStream(at)) continue
    return [anomaly('medium', 'A second header stands within the file.', { start: at })]
  }
  return []
}

/** ISO 32000-2, 7.7.2: the catalog's version counts when it is later, which is how an update raises it. */
function againstCatalog(file: PdfFile): Anomaly[] {
  const { version } = file.header
  const catalog = catalogVersion(file.graph)
  if (version === null || catalog === null || catalog === version) return []
  const root = file.graph.trailer.get('Root')
  const location = root instanceof PdfReference ? objectLocation(file, root.number) : null
  if (Number(catalog) < Number(version)) {
    return [anomaly('low', 'The catalog names an earlier version than the header.', location)]
  }
  if (file.revisions.length > 1) return []
  const description = 'The catalog names a later version than the header, and nothing was updated.'
  return [anomaly('low', description, location)]
}

function againstFeatures(file: PdfFile): Anomaly[] {
  const named = [file.header.version, catalogVersion(file.graph)].flatMap((version) =>
    version === null || !knownVersions.test(version) ? [] : [Number(version)],
  )
  if (named.length === 0) return []
  const version = Math.max(...named)
  const location = { start: file.header.offset ?? 0 }

  const streams = file.usesObjectStreams || file.sections.some(({ kind }) => kind === 'stream')
  if (version < 1.5 && streams) {
    const description = 'Object or cross-reference streams are used under a version before 1.5.'
    return [anomaly('low', description, location)]
  }
  if (version < 1.4 && usesTransparency(file.graph)) {
    return [anomaly('low', 'Transparency is used under a version before 1.4.', location)]
  }
  return []
}

function anomaly(
  severity: Anomaly['severity'],
  description: string,
  location: Location | null,
): Anomaly {
  return { type: 'HEADER_VERSION_MISMATCH', severity, description, location }
}
