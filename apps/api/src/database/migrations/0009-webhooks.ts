import { Migration } from '@mikro-orm/migrations'
import { belongsToOrganization, clearedAfter } from '../row-level-security.ts'

/** Webhooks, the secrets that sign for them, and the events on their way. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook (
        id uuid primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        url text not null,
        events text[] not null check (cardinality(events) > 0),
        active boolean not null,
        created_at timestamptz(3) not null,
        last_delivery_at timestamptz(3),
        failing_since timestamptz(3)
      );
      create index webhook_organization_id on webhook (organization_id, created_at desc, id desc);
      ${belongsToOrganization('webhook')}
    `)

    // The signer is a webhook, or the organization itself for addresses of one request or batch.
    this.addSql(`
      create table webhook_secret (
        id uuid primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        signer_id uuid not null,
        sealed_secret bytea not null,
        created_at timestamptz(3) not null,
        valid_until timestamptz(3)
      );
      create unique index webhook_secret_current on webhook_secret (organization_id, signer_id)
        where valid_until is null;
      create index webhook_secret_signer on webhook_secret (organization_id, signer_id);
      ${belongsToOrganization('webhook_secret')}
    `)

    // Without a foreign key to the webhook: what could not be delivered outlives it (decision 4.6). Upkeep looks for
    // what ended long ago, and for what was due long ago and has lost its job.
    this.addSql(`
      create table webhook_event (
        id uuid primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        webhook_id uuid not null,
        configured boolean not null,
        url text not null,
        event text not null,
        payload text not null,
        status text not null check (status in ('pending', 'delivered', 'dead')),
        asked_for boolean not null,
        sends integer not null check (sends >= 0),
        attempts json not null,
        created_at timestamptz(3) not null,
        next_attempt_at timestamptz(3),
        ended_at timestamptz(3),
        resting_since timestamptz(3) not null
          generated always as (coalesce(ended_at, next_attempt_at)) stored,
        check ((status = 'pending') = (next_attempt_at is not null and ended_at is null)),
        check ((status <> 'pending') = (ended_at is not null and next_attempt_at is null))
      );
      create index webhook_event_newest
        on webhook_event (organization_id, webhook_id, created_at desc, id desc);
      create index webhook_event_dead on webhook_event (organization_id, ended_at desc, id desc)
        where status = 'dead';
      create index webhook_event_pending on webhook_event (organization_id, webhook_id)
        where status = 'pending';
      ${belongsToOrganization('webhook_event')}
      ${clearedAfter('webhook_event', 'resting_since')}
    `)
  }
}
