import type { ApiKeyScope } from '@pdfnorm/contracts/schema/api-key'
import type { MemberRole } from '@pdfnorm/contracts/schema/member'
import type { PlanTier } from '@pdfnorm/contracts/schema/plan'
import type { Region } from '@pdfnorm/contracts/schema/region'

/** What every request of an organization knows about it. */
export interface CallingOrganization {
  id: string
  /** `org_<hex>`, never changes: names the storage prefix, the queue group and the export. */
  schemaName: string
  planTier: PlanTier
  isActive: boolean
  createdAt: Date
  /** What the months of its quota are counted from; null: its registration. */
  quotaCountsFrom: Date | null
  defaultRegion: Region | null
  allowedRegions: readonly Region[]
}

/** A program, known by its API key. */
export interface ApiKeyCaller {
  kind: 'api-key'
  organization: CallingOrganization
  apiKeyId: string
  scopes: readonly ApiKeyScope[]
}

/** A person, signed in to the portal. */
export interface MemberCaller {
  kind: 'member'
  organization: CallingOrganization
  memberId: string
  sessionId: string
  role: MemberRole
}

export type Caller = ApiKeyCaller | MemberCaller
