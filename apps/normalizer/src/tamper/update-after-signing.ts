import { tamperSeverities } from '@pdfnorm/contracts/schema/tamper-analysis'
import type { ChangeKind } from '../revision/change.ts'
import { type JudgedChange, signedHistory } from '../revision/signed-history.ts'
import type { Anomaly } from './anomaly.ts'
import { revisionLocation } from './revision-location.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/** Updates that change what the signatures before them do not leave to change (rule I1): one anomaly for each. */
export function updateAfterSigning({ file }: TamperEvidence): Anomaly[] {
  const { changes, unreadableRevisions } = signedHistory(file)
  const anomalies: Anomaly[] = unreadableRevisions.map((revision) => ({
    type: 'INCREMENTAL_UPDATE_INJECTION',
    severity: 'high',
    description: 'No document can be read from the bytes that a signature covers.',
    location: revisionLocation(file, revision),
  }))

  const forbidden = changes.filter(({ severity }) => severity !== null)
  for (const [revision, ofRevision] of Map.groupBy(forbidden, (change) => change.revision)) {
    anomalies.push({
      type: 'INCREMENTAL_UPDATE_INJECTION',
      severity: gravest(ofRevision),
      description: `An update after a signature ${listed(ofRevision)}.`,
      location: revisionLocation(file, revision),
    })
  }
  return anomalies
}

function gravest(changes: readonly JudgedChange[]): Anomaly['severity'] {
  const ranks = changes.map(({ severity }) => (severity ? tamperSeverities.indexOf(severity) : 0))
  return tamperSeverities[Math.max(...ranks)] ?? 'low'
}

/** What was done, the gravest first, each once. */
function listed(changes: readonly JudgedChange[]): string {
  const rank = ({ severity }: JudgedChange): number =>
    severity === null ? -1 : tamperSeverities.indexOf(severity)
  const ordered = changes.toSorted((a, b) => rank(b) - rank(a))
  const phrases = [...new Set(ordered.map(({ kind }) => doings[kind]))]
  const last = phrases.pop() ?? ''
  return phrases.length === 0 ? last : `${phrases.join(', ')} and ${last}`
}

const doings: Readonly<Record<ChangeKind, string>> = {
  'validation-data': 'adds validation data',
  metadata: 'changes metadata',
  structure: 'changes the structure tree or the navigation',
  signing: 'signs a field',
  'form-filled': 'fills in a form field',
  'form-refilled': 'replaces the value of a form field',
  annotation: 'adds or alters an annotation',
  appearance: 'redraws a form field whose value stays',
  'field-altered': 'moves or redefines a form field',
  'field-added': 'adds a form field',
  'field-removed': 'removes a form field',
  'annotation-removed': 'removes an annotation',
  'widget-removed': 'removes a form field from a page',
  'signature-altered': 'alters a signature',
  content: 'changes what a page shows',
  visibility: 'changes which layers are shown',
  'active-content': 'adds active content',
  resurrected: 'brings in an object that lay hidden in the signed bytes',
  other: 'changes something that no signature leaves to change',
}
