import { Migration } from '@mikro-orm/migrations'

/** What each cycle costs beyond its plan: by which plan it is charged, and whether it has been. */
export class Overage extends Migration {
  override up(): void {
    this.addSql(`
      alter table document_usage
        add column plan_tier text,
        add column overage_due boolean not null default false,
        add column overage_billed_at timestamptz(3);
    `)
  }
}
