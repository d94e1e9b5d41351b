import type { Client } from 'pg'

/** Superusers and BYPASSRLS roles see past every policy; this role does their work instead. */
export const plainRole = 'pdfnorm_app'

/**
 * Finds the role that row-level security holds for: the connecting one if it is plain, else
 * `pdfnorm_app`, which is created if it is missing.
 *
 * @returns the role to switch to, or null if the connecting role will do
 */
export async function ensurePlainRole(client: Client): Promise<string | null> {
  if (!(await isAboveRows(client))) return null

  // Roles belong to the whole cluster: another database of it may be creating this one right now.
  await client.query(`
    do $$ begin
      create role ${plainRole} nologin nosuperuser nobypassrls;
    exception when duplicate_object or unique_violation then null;
    end $$
  `)
  const { rows: members } = await client.query<{ member: boolean }>(
    `select pg_has_role(current_user, '${plainRole}', 'member') as member`,
  )
  if (members[0]?.member !== true) await client.query(`grant ${plainRole} to current_user`)
  return plainRole
}

/** Whether row-level security does not hold for what the connection does. */
export async function isAboveRows(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ above: boolean }>(
    'select rolsuper or rolbypassrls as above from pg_roles where rolname = current_user',
  )
  return rows[0]?.above === true
}

/** Lets the plain role read and write rows, and nothing else, in the schemas of the service. */
export async function grantToPlainRole(
  client: Client,
  role: string,
  schemas: readonly string[],
): Promise<void> {
  for (const schema of schemas) {
    await client.query(`
      grant usage on schema ${schema} to ${role};
      grant select, insert, update, delete on all tables in schema ${schema} to ${role};
      grant usage on all sequences in schema ${schema} to ${role};
      grant execute on all functions in schema ${schema} to ${role};
    `)
  }
  // What was migrated, whoever waits for it may read.
  await client.query(`
    revoke all on public.migration from ${role};
    grant select on public.migration to ${role};
  `)
}
