import { walkReachable } from '../pdf/reachable.ts'
import { objectPlace } from '../revision/object-place.ts'
import { resurrectedEntries } from '../revision/resurrected-entries.ts'
import { signedHistory } from '../revision/signed-history.ts'
import type { Anomaly } from './anomaly.ts'
import { isShown } from './shown-object.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/**
 * Objects that pages show and that an update brought in from bytes where they lay unseen, or freed after they were
 * signed (rule S2).
 */
export function hiddenObject(evidence: TamperEvidence): Anomaly[] {
  return [...resurrected(evidence), ...freed(evidence)]
}

function resurrected({ file, signed }: TamperEvidence): Anomaly[] {
  const entries = resurrectedEntries(file).filter(({ number }) => isShown(file.graph.get(number)))
  if (entries.length === 0) return []
  const reached = walkReachable(file.graph, {})
  return entries.flatMap(({ number, section }) => {
    const place = objectPlace(file, number)
    // A later update may have put another object in its place.
    const isLive =
      place !== null && reached.has(number) && file.provenance(number)?.section === section
    if (!isLive) return []
    const description = 'An update brings in an object that lay unlisted in earlier bytes.'
    const severity = signed ? 'critical' : 'medium'
    return [{ type: 'SHADOW_CONTENT_DETECTED', severity, description, location: place }]
  })
}

function freed({ file }: TamperEvidence): Anomaly[] {
  const gone = signedHistory(file).changes.filter(
    (change) => change.freed && change.severity === 'critical' && shownKinds.has(change.kind),
  )
  return gone.map(({ place, page }) => ({
    type: 'SHADOW_CONTENT_DETECTED',
    severity: 'critical',
    description: 'An update frees an object that was shown at the time of signing.',
    location: place && { ...place, page },
  }))
}

const shownKinds: ReadonlySet<string> = new Set(['content', 'annotation-removed', 'widget-removed'])
