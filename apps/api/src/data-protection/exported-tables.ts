/** What an export holds of one table. Each column stands in one of the two lists, save `organization_id`. */
interface ExportedTable {
  /** The name of its JSON file. */
  readonly file: string
  /** The first one orders the rows. */
  readonly columns: readonly string[]
  readonly withheld?: readonly string[]
}

/**
 * Every table that belongs to organizations, and what an export holds of it (decision 6.1). Withheld is what stands for
 * a secret, so that nobody can act with an export as its organization, and what only the service's own work needs. A
 * test compares this with the catalog of the database: a new table or column has to be decided on.
 */
export const exportedTables: Readonly<Record<string, ExportedTable | 'nothing but secrets'>> = {
  organization: {
    file: 'organization',
    columns: [
      'id',
      'name',
      'slug',
      'schema_name',
      'contact_email',
      'default_region',
      'allowed_regions',
      'plan_tier',
      'quota_counts_from',
      'is_active',
      'created_at',
    ],
  },
  member: {
    file: 'members',
    columns: ['id', 'email', 'role', 'is_active', 'email_verified', 'created_at', 'last_login_at'],
    withheld: ['password_hash'],
  },
  invitation: { file: 'invitations', columns: ['id', 'email', 'role', 'created_at'] },
  session: {
    file: 'sessions',
    columns: ['id', 'member_id', 'created_at', 'expires_at', 'revoked_at'],
  },
  refresh_token: 'nothing but secrets',
  one_time_token: 'nothing but secrets',
  api_key: {
    file: 'api-keys',
    columns: [
      'id',
      'name',
      'key_prefix',
      'scopes',
      'api_version',
      'replaces_id',
      'created_at',
      'expires_at',
      'revoked_at',
      'last_used_at',
    ],
    withheld: ['key_hash'],
  },
  submission: {
    file: 'submissions',
    columns: [
      'id',
      'api_version',
      'region',
      'batch_id',
      'webhook_url',
      'options',
      'original_sha256',
      'original_size_bytes',
      'original_expires_at',
      'quota_cycle_starts_at',
      'status',
      'asynchronous',
      'attempts',
      'created_at',
      'completed_at',
      'processing_time_ms',
      'normalized',
      'security',
      'validation',
      'tamper_analysis',
      'warnings',
      'failure',
    ],
    withheld: ['run_id', 'lease_expires_at', 'called', 'faults', 'origin'],
  },
  batch: {
    file: 'batches',
    columns: [
      'id',
      'api_version',
      'name',
      'webhook_url',
      'status',
      'total',
      'completed',
      'failed',
      'rejected',
      'created_at',
    ],
    withheld: ['announced_total'],
  },
  idempotency_key: {
    file: 'idempotency-keys',
    columns: ['key', 'file_sha256', 'submission_id', 'created_at', 'expires_at'],
  },
  report: {
    file: 'reports',
    columns: ['submission_id', 'output_sha256', 'completed_at', 'expires_at', 'document'],
  },
  artifact_reference: {
    file: 'artifacts',
    columns: ['sha256', 'region', 'completed_at', 'expires_at'],
  },
  attestation: {
    file: 'attestations-and-certificates',
    columns: ['normalized_sha256', 'attestation_id', 'issued_at', 'document', 'certificate'],
  },
  webhook: {
    file: 'webhooks',
    columns: ['id', 'url', 'events', 'active', 'created_at', 'last_delivery_at', 'failing_since'],
  },
  webhook_secret: 'nothing but secrets',
  webhook_event: {
    file: 'webhook-events-and-dead-letters',
    columns: [
      'id',
      'webhook_id',
      'configured',
      'url',
      'event',
      'payload',
      'status',
      'asked_for',
      'sends',
      'attempts',
      'created_at',
      'next_attempt_at',
      'ended_at',
    ],
    withheld: ['resting_since'],
  },
  document_usage: {
    file: 'usage',
    columns: [
      'cycle_starts_at',
      'documents',
      'submissions',
      'success',
      'failed',
      'rejected',
      'success_processing_ms',
      'plan_tier',
      'overage_due',
      'overage_billed_at',
    ],
  },
  subscription: {
    file: 'billing',
    columns: [
      'customer_id',
      'subscription_id',
      'status',
      'billing_interval',
      'current_period_ends_at',
      'cancels_at_period_end',
    ],
    withheld: ['last_asked', 'last_answered'],
  },
  data_export: {
    file: 'exports',
    columns: ['id', 'requested_by', 'status', 'requested_at', 'completed_at', 'expires_at'],
    withheld: ['region', 'build', 'archive_key'],
  },
  erasure: { file: 'erasures', columns: ['requested_at', 'completed_at'] },
  account_deletion: {
    file: 'account-deletions',
    columns: ['requested_at', 'cancellable_until', 'cancelled_at'],
    withheld: ['begun_at'],
  },
}
