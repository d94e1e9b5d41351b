import type { ChangeKind } from '../revision/change.ts'
import { type Covering, type JudgedChange, signedHistory } from '../revision/signed-history.ts'
import type { Anomaly, Location } from './anomaly.ts'
import { revisionLocation } from './revision-location.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/**
 * What the signer did not see and readers see (rule S1), told beside the update that brought it: changed pages,
 * removed annotations, redrawn fields, other layers. One for each page and kind, of fields one for each object.
 */
export function contentAfterSigning({ file }: TamperEvidence): Anomaly[] {
  const { changes, coverings } = signedHistory(file)
  const shown = new Map<string, Anomaly>()
  for (const change of changes) {
    const description = becameVisible[change.kind]
    if (description === undefined || change.severity === null) continue
    const key = `${change.kind} ${change.kind === 'content' ? change.page : change.object}`
    if (shown.has(key)) continue
    shown.set(key, {
      type: 'SHADOW_CONTENT_DETECTED',
      severity: 'critical',
      description,
      location: locationOf(change, revisionLocation(file, change.revision)),
    })
  }
  return [...shown.values(), ...coverings.map(coveringAnomaly)]
}

/** Permitted by their kind, and yet they change what readers take for signed. */
function coveringAnomaly({ how, isSignature, page, place }: Covering): Anomaly {
  const what = isSignature ? 'A signature field' : 'An annotation'
  const placed = how === 'placed'
  return {
    type: 'SHADOW_CONTENT_DETECTED',
    severity: placed ? 'high' : 'critical',
    description: placed
      ? `${what} was laid over text that was there at the time of signing.`
      : `${what} was taken away from over text that was there at the time of signing.`,
    location: place && { ...place, page },
  }
}

const becameVisible: Readonly<Partial<Record<ChangeKind, string>>> = {
  content: 'A page shows other content than it did when it was signed.',
  'annotation-removed': 'An annotation that was there at the time of signing is gone or hidden.',
  'widget-removed': 'A form field that was shown at the time of signing is gone from its page.',
  appearance: 'A form field looks other than it did at the time of signing, and its value stayed.',
  'field-altered': 'A form field stands elsewhere or is another one than at the time of signing.',
  visibility: 'Other layers are shown than at the time of signing.',
}

function locationOf({ place, page }: JudgedChange, ofRevision: Location): Location {
  return { ...(place ?? ofRevision), page }
}
