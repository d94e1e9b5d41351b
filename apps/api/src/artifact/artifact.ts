import { defineEntity, p } from '@mikro-orm/core'
import type { Region } from '@pdfnorm/contracts/schema/region'

/**
 * A normalized file, once per content and region, whoever made it. It carries nothing of an organization, and only
 * its hash finds it.
 */
export const ArtifactEntity = defineEntity({
  name: 'Artifact',
  tableName: 'artifact',
  properties: {
    sha256: p.text().primary(),
    region: p.text().$type<Region>().primary(),
    sizeBytes: p.integer(),
    /** Where its bytes are: another key whenever the content is stored anew (stored-object.ts). */
    objectKey: p.text(),
    createdAt: p.datetime(3),
  },
})

/** That an organization may read an artifact, and until when. It stays after that, so that EXPIRED can be told. */
export const ArtifactReferenceEntity = defineEntity({
  name: 'ArtifactReference',
  tableName: 'artifact_reference',
  properties: {
    organizationId: p.uuid().primary(),
    sha256: p.text().primary(),
    region: p.text().$type<Region>().primary(),
    /** The last completion that had this output. */
    completedAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
})
