import { signedHistory } from '../revision/signed-history.ts'
import type { Anomaly } from './anomaly.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/** Fields that were signed in an earlier revision and are gone or empty in the last one (rule O4). */
export function removedSignature({ file }: TamperEvidence): Anomaly[] {
  return signedHistory(file).lostSignatures.map(({ place }) => ({
    type: 'ORPHANED_SIGNATURE_FIELD',
    severity: 'critical',
    description: 'A field that was signed has lost its signature in a later update.',
    location: place,
  }))
}
