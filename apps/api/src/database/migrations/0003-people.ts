import { Migration } from '@mikro-orm/migrations'
import { belongsToOrganization } from '../row-level-security.ts'

/** Invitations. An address belongs to nobody until its owner accepts, so several organizations may invite it. */
export class People extends Migration {
  override up(): void {
    this.addSql(`
      create table invitation (
        id uuid primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        email text not null,
        role text not null check (role in ('admin', 'member')),
        created_at timestamptz(3) not null,
        constraint invitation_email_unique unique (organization_id, email)
      );
      ${belongsToOrganization('invitation')}
    `)

    this.addSql(`
      alter table one_time_token
        alter column member_id drop not null,
        add column invitation_id uuid references invitation (id) on delete cascade,
        add constraint one_time_token_of_one check (num_nonnulls(member_id, invitation_id) = 1);
      create index one_time_token_invitation_id on one_time_token (invitation_id);
    `)
  }
}
