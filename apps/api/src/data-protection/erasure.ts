import { defineEntity, p } from '@mikro-orm/core'

/** The latest erasure that an organization asked for: all that came before it goes. */
export const ErasureEntity = defineEntity({
  name: 'Erasure',
  tableName: 'erasure',
  properties: {
    organizationId: p.uuid().primary(),
    requestedAt: p.datetime(3),
    /** null while bytes are still being removed, or documents from before are in process. */
    completedAt: p.datetime(3).nullable(),
  },
})
