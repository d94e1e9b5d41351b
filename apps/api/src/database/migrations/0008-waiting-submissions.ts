import { Migration } from '@mikro-orm/migrations'

/** Which of the submissions that wait have a job: the others wait for a slot; and how often the service failed one. */
export class WaitingSubmissions extends Migration {
  override up(): void {
    this.addSql(`
      alter table submission 
        add column called boolean not null default false,
        add column origin json,
        add column faults integer not null default 0;
      -- Every one that waits has a job so far. An owner that is no superuser sees it only without force.
      alter table submission no force row level security;
      update submission set called = true where status = 'PENDING';
      alter table submission force row level security;
      alter table submission
        alter column called drop default,
        alter column faults drop default,
        add check (not called or status = 'PENDING');

      drop index submission_in_progress;
      create index submission_holding_slot on submission (organization_id)
        where status = 'IN_PROGRESS' or called;
      create index submission_waiting on submission (organization_id, created_at, id)
        where status = 'PENDING' and not called;
    `)
  }
}
