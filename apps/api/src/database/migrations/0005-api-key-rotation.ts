import { Migration } from '@mikro-orm/migrations'

/** Which key a rotation replaced: each one at most once. */
export class ApiKeyRotation extends Migration {
  override up(): void {
    this.addSql(`
      alter table api_key
        add column replaces_id uuid constraint api_key_replaces_id_unique unique
          references api_key (id) on delete set null;
    `)
  }
}
