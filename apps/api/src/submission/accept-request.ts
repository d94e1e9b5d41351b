import type { ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Region } from '@pdfnorm/contracts/schema/region'
import type { NormalizeOptions } from '@pdfnorm/normalizer/options'
import type { StagedObject } from '../artifact/object-store.ts'
import type { Platform } from '../platform.ts'

/** An upload with its choices, checked for form. */
export interface AcceptRequest {
  readonly apiVersion: ApiVersion
  readonly original: {
    readonly sha256: string
    readonly sizeBytes: number
    /** null when the file was not kept, because it is larger than the plan allows. */
    readonly staged: StagedObject | null
  }
  readonly options: NormalizeOptions
  /** null: the organization's. */
  readonly region: Region | null
  readonly webhookUrl: string | null
  readonly idempotencyKey: string | null
  readonly batchId: string | null
  readonly preference: WaitPreference
}

/** How long the caller will wait for the end (RFC 7240). */
export interface WaitPreference {
  readonly respondAsync: boolean
  /** null: as long as the service lets one wait. */
  readonly waitMs: number | null
}

export type AcceptRefusal = Refusal<
  | 'REGION_NOT_ALLOWED'
  | 'INVALID_BATCH'
  | 'WEBHOOK_URL_FORBIDDEN'
  | 'QUOTA_EXCEEDED'
  | 'IDEMPOTENCY_KEY_REUSED'
>

/** What taking in an upload touches, up to its end. */
export type AcceptingPlatform = Pick<
  Platform,
  | 'orm'
  | 'objects'
  | 'clock'
  | 'config'
  | 'endings'
  | 'queue'
  | 'log'
  | 'metrics'
  | 'normalizer'
  | 'signingKeys'
  | 'runs'
>
