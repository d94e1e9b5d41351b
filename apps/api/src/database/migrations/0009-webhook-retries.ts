import { Migration } from '@mikro-orm/migrations'

/** Whether an event waits to be sent again to a receiver is found without reading all that wait for the first time. */
export class WebhookRetries extends Migration {
  override up(): void {
    this.addSql(`
      drop index webhook_event_pending;
      create index webhook_event_retried on webhook_event (organization_id, webhook_id)
        where status = 'pending' and sends > 0;
    `)
  }
}
