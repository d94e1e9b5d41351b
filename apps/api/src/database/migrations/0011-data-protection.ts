import { Migration } from '@mikro-orm/migrations'
import { belongsToOrganization } from '../row-level-security.ts'

/** What organizations ask for about their own data: exports, erasures and the deletion of all. */
export class DataProtection extends Migration {
  override up(): void {
    this.addSql(`
      create table data_export (
        id uuid primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        requested_by uuid references member (id) on delete set null,
        region text not null,
        status text not null check (status in ('pending', 'completed')),
        build integer not null,
        requested_at timestamptz(3) not null,
        completed_at timestamptz(3),
        expires_at timestamptz(3),
        archive_key text,
        check ((status = 'completed') = (num_nulls(completed_at, expires_at, archive_key) = 0))
      );
      create index data_export_organization_id on data_export (organization_id);
      create index data_export_requested_by on data_export (requested_by);
      create unique index data_export_one_pending on data_export (organization_id)
        where status = 'pending';
      ${belongsToOrganization('data_export')}

      create table erasure (
        organization_id uuid primary key references organization (id) on delete cascade,
        requested_at timestamptz(3) not null,
        completed_at timestamptz(3)
      );
      ${belongsToOrganization('erasure')}

      create table account_deletion (
        organization_id uuid primary key references organization (id) on delete cascade,
        requested_at timestamptz(3) not null,
        cancellable_until timestamptz(3) not null,
        cancelled_at timestamptz(3),
        begun_at timestamptz(3),
        check (num_nonnulls(cancelled_at, begun_at) < 2)
      );
      ${belongsToOrganization('account_deletion')}
    `)
  }
}
