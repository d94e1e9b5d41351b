import { Migration } from '@mikro-orm/migrations'
import { belongsToOrganization, foundBy } from '../row-level-security.ts'

/** The subscription of an organization, and the months that a paid quota is counted in. */
export class Billing extends Migration {
  override up(): void {
    this.addSql(`
      create table subscription (
        organization_id uuid primary key references organization (id) on delete cascade,
        customer_id text not null constraint subscription_customer_id_unique unique,
        subscription_id text,
        status text,
        billing_interval text check (billing_interval in ('month', 'year')),
        current_period_ends_at timestamptz(3),
        cancels_at_period_end boolean not null,
        check (num_nulls(subscription_id, status, billing_interval, current_period_ends_at) in (0, 4))
      );
      ${belongsToOrganization('subscription')}
      ${foundBy('subscription', 'customer_id', 'app.payment_customer_id')}

      alter table organization add column quota_counts_from timestamptz(3);
    `)
  }
}
