import { Migration } from '@mikro-orm/migrations'
import { clearedAfter } from '../row-level-security.ts'

/** Idempotency keys can be cleared for all organizations together. */
export class IdempotencyExpiry extends Migration {
  override up(): void {
    this.addSql(clearedAfter('idempotency_key', 'expires_at'))
  }
}
