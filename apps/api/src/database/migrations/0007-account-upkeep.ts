import { Migration } from '@mikro-orm/migrations'
import { clearedAfter } from '../row-level-security.ts'

/** What has expired can be cleared for all organizations together; and the order of the payment processor's answers. */
export class AccountUpkeep extends Migration {
  override up(): void {
    // Those that were begun before are cleared when their last possible refresh token has expired.
    this.addSql(`
      alter table session
        add column expires_at timestamptz(3) not null default now() + interval '30 days';
      alter table session alter column expires_at drop default;
    `)

    this.addSql(`
      ${clearedAfter('session', 'expires_at')}
      ${clearedAfter('refresh_token', 'expires_at')}
      ${clearedAfter('one_time_token', 'expires_at')}
      ${clearedAfter('invitation', 'created_at')}
    `)

    this.addSql(`
      alter table subscription
        add column last_asked integer not null default 0,
        add column last_answered integer not null default 0;
    `)
  }
}
