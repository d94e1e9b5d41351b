/**
 * The statements that give a table of an organization its isolation: enabled, forced on the owner
 * too, and one policy that reads and writes rows of the transaction's organization only.
 *
 * After a transaction PostgreSQL leaves the setting as '' and not as null, hence the nullif.
 */
export function belongsToOrganization(table: string, column = 'organization_id'): string {
  return `
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy organization on ${table}
      using (${column} = nullif(current_setting('app.organization_id', true), '')::uuid);
  `
}

/**
 * The policy behind one `LookUp` (database/transaction.ts): whoever presents the value of `column`
 * in the transaction's setting may read that row.
 */
export function foundBy(table: string, column: string, setting: string): string {
  return `
    create policy found_by_${column} on ${table} for select
      using (${column} = nullif(current_setting('${setting}', true), ''));
  `
}

/**
 * The policies with which `withExpired` (database/transaction.ts) sees and deletes the rows of all organizations that
 * lie before a moment, and the index by which it finds them.
 */
export function clearedAfter(table: string, column: string): string {
  const before = `${column} < nullif(current_setting('app.expired_before', true), '')::timestamptz`
  return `
    create index ${table}_${column} on ${table} (${column});
    create policy expired_seen on ${table} for select using (${before});
    create policy expired_cleared on ${table} for delete using (${before});
  `
}
