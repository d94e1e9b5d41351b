import type { Anomaly } from './anomaly.ts'
import { confusionAnomaly } from './confusion.ts'
import { contentConfusion } from './content-confusion.ts'
import { coveredContent } from './covered-content.ts'
import { latentDocument } from './latent-document.ts'
import { objectConfusion } from './object-confusion.ts'
import { pageConfusion } from './page-confusion.ts'
import { sectionConfusion } from './section-confusion.ts'
import type { TamperEvidence } from './tamper-evidence.ts'
import { unsignedGaps } from './unsigned-gap.ts'

/**
 * Content that one reader, or the signer, does not see and another does: rules S3 (what readers disagree about), S4 and
 * S5 (what lies ready to be shown) and S6 (bytes between the signed parts that are not the signature).
 */
export function shadowContent(evidence: TamperEvidence): Anomaly[] {
  const confusions = [
    ...sectionConfusion(evidence),
    ...objectConfusion(evidence),
    ...pageConfusion(evidence),
    ...contentConfusion(evidence),
  ]
  return [
    ...redirected(evidence),
    ...confusions.map((confusion) => confusionAnomaly(confusion, evidence.signed)),
    ...latentDocument(evidence),
    ...coveredContent(evidence),
    ...unsignedGaps(evidence),
  ]
}

/** S3, XREF_MISMATCH. */
function redirected({ redirectedEntries, signed }: TamperEvidence): Anomaly[] {
  return redirectedEntries
    .filter(({ leadsToObject }) => leadsToObject)
    .map(({ number, entry, drawable }) => ({
      type: 'SHADOW_CONTENT_DETECTED',
      severity: !drawable ? 'low' : signed ? 'high' : 'medium',
      description: 'A cross-reference entry leads to another object than the one that it names.',
      location: {
        start: entry.offset,
        object: { number, generation: entry.generation },
        crossReferenceEntry: entry.entryOffset,
      },
    }))
}
