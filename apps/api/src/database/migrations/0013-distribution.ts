import { Migration } from '@mikro-orm/migrations'

/**
 * Keys of organizations' rows begin with the organization, and so do the references between them: what tables that are
 * distributed by organization demand (docs/operating/citus.md).
 */
export class Distribution extends Migration {
  override up(): void {
    // A command passes to the machines of distributed tables what the function set_config would keep to its own.
    this.addSql(`
      create function set_local(setting text, value text) returns void language plpgsql as $$
        begin
          execute format('set local %I = %L', setting, coalesce(value, ''));
        end
      $$
    `)

    this.addSql(`
      alter table session drop constraint session_member_id_fkey;
      alter table refresh_token drop constraint refresh_token_session_id_fkey;
      alter table one_time_token
        drop constraint one_time_token_member_id_fkey,
        drop constraint one_time_token_invitation_id_fkey;
      alter table idempotency_key drop constraint idempotency_key_submission_id_fkey;
      alter table report drop constraint report_submission_id_fkey;
    `)

    // Columns that a deletion sets to null cannot be in one key with the organization. Both of these references are
    // only ever looked up.
    this.addSql(`
      alter table api_key drop constraint api_key_replaces_id_fkey;
      alter table data_export drop constraint data_export_requested_by_fkey;
      drop index data_export_requested_by;
    `)

    this.addSql(
      [
        ['member', 'id'],
        ['session', 'id'],
        ['refresh_token', 'token_hash'],
        ['one_time_token', 'token_hash'],
        ['invitation', 'id'],
        ['api_key', 'id'],
        ['submission', 'id'],
        ['report', 'submission_id'],
        ['batch', 'id'],
        ['data_export', 'id'],
        ['webhook', 'id'],
        ['webhook_secret', 'id'],
        ['webhook_event', 'id'],
      ]
        .map(
          ([table, key]) => `
            alter table ${table}
              drop constraint ${table}_pkey,
              add constraint ${table}_pkey primary key (organization_id, ${key});`,
        )
        .join(''),
    )

    // A hash of 256 random bits needs nothing that keeps it unique, and the internal name has the id in it. The index
    // of a key that begins with the organization serves in place of one of the organization alone.
    this.addSql(`
      create index refresh_token_token_hash on refresh_token (token_hash);
      create index one_time_token_token_hash on one_time_token (token_hash);
      alter table api_key
        drop constraint api_key_key_hash_unique,
        drop constraint api_key_replaces_id_unique,
        add constraint api_key_replaces_id_unique unique (organization_id, replaces_id);
      create index api_key_key_hash on api_key (key_hash);
      alter table organization
        drop constraint organization_schema_name_unique,
        add constraint organization_schema_name_of_id
          check (schema_name = 'org_' || replace(id::text, '-', ''));

      drop index member_organization_id;
      drop index api_key_organization_id;
      drop index data_export_organization_id;
    `)

    // An owner that is no superuser has the rows of all organizations examined only while the policies do not bind him.
    const referring = ['session', 'refresh_token', 'one_time_token', 'idempotency_key', 'report']
    const referredTo = ['member', 'invitation', 'submission']
    const force = (words: string) =>
      [...referring, ...referredTo]
        .map((table) => `alter table ${table} ${words} row level security;`)
        .join('')
    this.addSql(`
      ${force('no force')}

      drop index session_member_id;
      create index session_member_id on session (organization_id, member_id);
      alter table session add constraint session_member_id_fkey
        foreign key (organization_id, member_id) references member on delete cascade;

      drop index refresh_token_session_id;
      create index refresh_token_session_id on refresh_token (organization_id, session_id);
      alter table refresh_token add constraint refresh_token_session_id_fkey
        foreign key (organization_id, session_id) references session on delete cascade;

      drop index one_time_token_member_id;
      create index one_time_token_member_id on one_time_token (organization_id, member_id);
      drop index one_time_token_invitation_id;
      create index one_time_token_invitation_id on one_time_token (organization_id, invitation_id);
      alter table one_time_token
        add constraint one_time_token_member_id_fkey
          foreign key (organization_id, member_id) references member on delete cascade,
        add constraint one_time_token_invitation_id_fkey
          foreign key (organization_id, invitation_id) references invitation on delete cascade;

      create index idempotency_key_submission_id on idempotency_key (organization_id, submission_id);
      alter table idempotency_key add constraint idempotency_key_submission_id_fkey
        foreign key (organization_id, submission_id) references submission on delete cascade
          deferrable initially deferred;

      alter table report add constraint report_submission_id_fkey
        foreign key (organization_id, submission_id) references submission on delete cascade;

      ${force('force')}
    `)
  }
}
