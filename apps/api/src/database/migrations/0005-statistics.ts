import { Migration } from '@mikro-orm/migrations'

/** How the submissions of each cycle ended, counted in the transactions that accept and end them. */
export class Statistics extends Migration {
  override up(): void {
    this.addSql(`
      alter table document_usage
        add column submissions integer not null default 0,
        add column success integer not null default 0,
        add column failed integer not null default 0,
        add column rejected integer not null default 0,
        add column success_processing_ms bigint not null default 0;
    `)
  }
}
