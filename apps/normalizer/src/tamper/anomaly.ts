import {
  type RiskLevel,
  type TamperAnalysis,
  type TamperAnomaly,
  tamperSeverities,
} from '@pdfnorm/contracts/schema/tamper-analysis'

/** An anomaly with its place as numbers, so that anomalies can be put in order. */
export interface Anomaly {
  readonly type: TamperAnomaly['type']
  readonly severity: TamperAnomaly['severity']
  /** Never quotes text of the document: it leaves the service in reports. */
  readonly description: string
  readonly location: Location | null
}

/** Where in the original bytes. */
export interface Location {
  readonly start: number
  /** Exclusive; without it the location is the one offset. */
  readonly end?: number
  readonly object?: { readonly number: number; readonly generation: number }
  /** Counted from 1, in the document's order. */
  readonly page?: number | null
  readonly revision?: { readonly index: number; readonly of: number }
  /** Offset of an entry of a cross-reference table. */
  readonly crossReferenceEntry?: number | null
}

/** What a mechanism lists at most; the count tells how many there were. */
const maxListed = 20

/**
 * The report: the highest severity decides, there is no weighing. Ordered by severity, then by offset, so that the same
 * bytes always give the same report.
 */
export function tamperAnalysis(anomalies: readonly Anomaly[]): TamperAnalysis {
  const ordered = anomalies.toSorted(
    (a, b) =>
      tamperSeverities.indexOf(b.severity) - tamperSeverities.indexOf(a.severity) ||
      (a.location?.start ?? Infinity) - (b.location?.start ?? Infinity) ||
      compare(a.type, b.type) ||
      compare(a.description, b.description),
  )
  const listed = new Map<string, number>()
  const reported = ordered.filter(({ type, description }) => {
    const mechanism = `${type} ${description}`
    const count = (listed.get(mechanism) ?? 0) + 1
    listed.set(mechanism, count)
    return count <= maxListed
  })
  return {
    riskLevel: riskLevelOf(ordered),
    anomaliesDetected: anomalies.length,
    anomalies: reported.map(({ type, severity, description, location }) => ({
      type,
      severity,
      description,
      location: location === null ? null : locationText(location),
    })),
  }
}

function riskLevelOf(bySeverity: readonly Anomaly[]): RiskLevel {
  return bySeverity[0]?.severity ?? 'none'
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The grammar of the contract's `TamperAnomaly.location`. */
function locationText(location: Location): string {
  const { start, end, object, page, revision, crossReferenceEntry } = location
  const parts = [end === undefined ? `offset ${start}` : `bytes ${start}-${end}`]
  if (object !== undefined) parts.push(`object ${object.number} ${object.generation}`)
  if (typeof page === 'number') parts.push(`page ${page}`)
  if (revision !== undefined) parts.push(`revision ${revision.index + 1} of ${revision.of}`)
  if (typeof crossReferenceEntry === 'number') parts.push(`xref entry at ${crossReferenceEntry}`)
  return parts.join(', ')
}
