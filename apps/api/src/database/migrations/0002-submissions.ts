import { Migration } from '@mikro-orm/migrations'
import { belongsToOrganization } from '../row-level-security.ts'

/** Submissions, what they made, and what proves it. */
export class Submissions extends Migration {
  override up(): void {
    this.addSql(`
      create table submission (
        id uuid primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        api_version text not null,
        region text not null,
        batch_id uuid,
        webhook_url text,
        options json not null,
        original_sha256 text not null,
        original_size_bytes integer not null,
        original_expires_at timestamptz(3),
        quota_cycle_starts_at timestamptz(3),
        status text not null
          check (status in ('PENDING', 'IN_PROGRESS', 'SUCCESS', 'FAILED', 'REJECTED')),
        asynchronous boolean not null,
        attempts integer not null,
        run_id uuid,
        lease_expires_at timestamptz(3),
        created_at timestamptz(3) not null,
        completed_at timestamptz(3),
        processing_time_ms integer not null,
        normalized json,
        security json,
        validation json,
        tamper_analysis json,
        warnings json not null,
        failure json,
        check ((status = 'IN_PROGRESS') = (run_id is not null and completed_at is null)),
        check ((status in ('SUCCESS', 'FAILED', 'REJECTED')) = (completed_at is not null)),
        check ((status = 'SUCCESS') = (normalized is not null))
      );
      create index submission_newest on submission (organization_id, created_at desc, id desc);
      create index submission_in_progress on submission (organization_id)
        where status = 'IN_PROGRESS';
      ${belongsToOrganization('submission')}

      create table idempotency_key (
        organization_id uuid not null references organization (id) on delete cascade,
        key text not null,
        file_sha256 text not null,
        submission_id uuid not null references submission (id) on delete cascade
          deferrable initially deferred,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        primary key (organization_id, key)
      );
      ${belongsToOrganization('idempotency_key')}

      create table document_usage (
        organization_id uuid not null references organization (id) on delete cascade,
        cycle_starts_at timestamptz(3) not null,
        documents integer not null check (documents >= 0),
        primary key (organization_id, cycle_starts_at)
      );
      ${belongsToOrganization('document_usage')}
    `)

    // Artifacts belong to their content and not to an organization; who may read one is its references.
    this.addSql(`
      create table artifact (
        sha256 text not null,
        region text not null,
        size_bytes integer not null,
        created_at timestamptz(3) not null,
        primary key (sha256, region)
      );

      create table artifact_reference (
        organization_id uuid not null references organization (id) on delete cascade,
        sha256 text not null,
        region text not null,
        expires_at timestamptz(3) not null,
        primary key (organization_id, sha256, region)
      );
      create index artifact_reference_artifact on artifact_reference (sha256, region);
      ${belongsToOrganization('artifact_reference')}

      create table report (
        submission_id uuid primary key references submission (id) on delete cascade,
        organization_id uuid not null references organization (id) on delete cascade,
        output_sha256 text not null,
        completed_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        document json not null
      );
      create index report_of_output on report (organization_id, output_sha256, completed_at desc);
      ${belongsToOrganization('report')}
    `)

    this.addSql(`
      create table signing_key (
        kid text primary key,
        x text not null,
        y text not null,
        sealed_private_key bytea,
        created_at timestamptz(3) not null,
        signs_from timestamptz(3) not null,
        retired_at timestamptz(3)
      );

      create table attestation (
        organization_id uuid not null references organization (id) on delete cascade,
        normalized_sha256 text not null,
        attestation_id uuid not null,
        issued_at timestamptz(3) not null,
        document json not null,
        certificate text not null,
        primary key (organization_id, normalized_sha256)
      );
      ${belongsToOrganization('attestation')}
    `)
  }
}
