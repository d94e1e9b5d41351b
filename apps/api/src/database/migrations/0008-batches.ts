import { Migration } from '@mikro-orm/migrations'
import { belongsToOrganization } from '../row-level-security.ts'

/** Batches with what became of their submissions, counted in the transactions that accept and end these. */
export class Batches extends Migration {
  override up(): void {
    // Its row changes with every submission: room in the page keeps most changes out of the indexes.
    this.addSql(`
      create table batch (
        id uuid primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        api_version text not null,
        name text not null,
        webhook_url text,
        created_at timestamptz(3) not null,
        total integer not null,
        completed integer not null,
        failed integer not null,
        rejected integer not null,
        status text not null generated always as (
          case
            when total = 0 then 'open'
            when completed + failed + rejected < total then 'in_progress'
            else 'complete'
          end
        ) stored,
        announced_total integer not null,
        check (completed >= 0 and failed >= 0 and rejected >= 0),
        check (completed + failed + rejected <= total)
      ) with (fillfactor = 70);
      create index batch_newest on batch (organization_id, created_at desc, id desc);
      create index batch_by_status on batch (organization_id, status, created_at desc, id desc);
      ${belongsToOrganization('batch')}

      create index submission_of_batch
        on submission (organization_id, batch_id, created_at desc, id desc)
        where batch_id is not null;
    `)
  }
}
