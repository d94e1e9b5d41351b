import { Migration } from '@mikro-orm/migrations'
import { belongsToOrganization, foundBy } from '../row-level-security.ts'

/** Organizations, their members and what members and programs sign in with. */
export class Accounts extends Migration {
  override up(): void {
    this.addSql(`
      create table organization (
        id uuid primary key,
        name text not null,
        slug text not null constraint organization_slug_unique unique,
        schema_name text not null constraint organization_schema_name_unique unique,
        contact_email text,
        default_region text,
        allowed_regions text[] not null check (cardinality(allowed_regions) > 0),
        plan_tier text not null,
        is_active boolean not null,
        created_at timestamptz(3) not null
      );
      ${belongsToOrganization('organization', 'id')}
    `)

    this.addSql(`
      create table member (
        id uuid primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        email text not null constraint member_email_unique unique,
        password_hash text,
        role text not null check (role in ('owner', 'admin', 'member')),
        is_active boolean not null,
        email_verified boolean not null,
        created_at timestamptz(3) not null,
        last_login_at timestamptz(3)
      );
      create index member_organization_id on member (organization_id);
      create unique index member_one_owner on member (organization_id) where role = 'owner';
      ${belongsToOrganization('member')}
      ${foundBy('member', 'email', 'app.member_email')}
    `)

    this.addSql(`
      create table session (
        id uuid primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        member_id uuid not null references member (id) on delete cascade,
        created_at timestamptz(3) not null,
        revoked_at timestamptz(3)
      );
      create index session_member_id on session (member_id);
      ${belongsToOrganization('session')}

      create table refresh_token (
        token_hash text primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        session_id uuid not null references session (id) on delete cascade,
        issued_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        rotated_at timestamptz(3)
      );
      create index refresh_token_session_id on refresh_token (session_id);
      ${belongsToOrganization('refresh_token')}
      ${foundBy('refresh_token', 'token_hash', 'app.refresh_token_hash')}

      create table one_time_token (
        token_hash text primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        member_id uuid not null references member (id) on delete cascade,
        purpose text not null,
        expires_at timestamptz(3) not null,
        used_at timestamptz(3)
      );
      create index one_time_token_member_id on one_time_token (member_id);
      ${belongsToOrganization('one_time_token')}
      ${foundBy('one_time_token', 'token_hash', 'app.one_time_token_hash')}
    `)

    this.addSql(`
      create table api_key (
        id uuid primary key,
        organization_id uuid not null references organization (id) on delete cascade,
        name text not null,
        key_prefix text not null,
        key_hash text not null constraint api_key_key_hash_unique unique,
        scopes text[] not null check (cardinality(scopes) > 0),
        api_version text not null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        last_used_at timestamptz(3)
      );
      create index api_key_organization_id on api_key (organization_id);
      ${belongsToOrganization('api_key')}
      ${foundBy('api_key', 'key_hash', 'app.api_key_hash')}
    `)

    // Unlogged: a counter is not worth a disk flush per request, and after a crash of the database
    // an empty one is harmless. The columns' order is that of rate-limiter-flexible.
    this.addSql(`
      create unlogged table rate_limit (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      );
    `)
  }
}
