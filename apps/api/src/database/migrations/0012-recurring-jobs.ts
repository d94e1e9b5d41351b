import { Migration } from '@mikro-orm/migrations'

/** When each recurring job was last due: what makes sure that all processes send it once. */
export class RecurringJobs extends Migration {
  override up(): void {
    this.addSql(`
      create table recurring_job (
        queue text primary key,
        due_at timestamptz(3) not null
      );
    `)
  }
}
