import type { EntityManager } from '@mikro-orm/postgresql'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'

/** Rows that one transaction deletes: it is short, however much an organization has. */
const rowsAtOnce = 2000

/** Says that a deletion has begun, so it goes last, with the organization itself. */
const lastTable = 'account_deletion'

/**
 * Deletes every row of an organization. Which tables have any the catalog of the database says, so that none is
 * forgotten; what refers to others goes before them.
 */
export async function deleteRows(
  { orm }: Pick<Platform, 'orm'>,
  organizationId: string,
  signal: AbortSignal,
): Promise<void> {
  const tables = await withOrganization(orm, organizationId, tenantTables)
  for (const table of tables) {
    if (table === lastTable) continue
    for (;;) {
      signal.throwIfAborted()
      const deleted = await withOrganization(orm, organizationId, (em) =>
        em.execute(
          `delete from ${table} where organization_id = ? and ctid in
             (select ctid from ${table} where organization_id = ? limit ?)
           returning 1`,
          [organizationId, organizationId, rowsAtOnce],
        ),
      )
      if (deleted.length < rowsAtOnce) break
    }
  }
  // What came in between goes along.
  await withOrganization(orm, organizationId, (em) =>
    em.execute('delete from organization where id = ?', [organizationId]),
  )
}

/** The tables of organizations, each before those that it refers to. */
async function tenantTables(em: EntityManager): Promise<string[]> {
  const rows = await em.execute<{ name: string; refersTo: string[] }[]>(
    `select c.oid::regclass::text as name,
            array(select distinct confrelid::regclass::text from pg_constraint
                  where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as "refersTo"
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and a.attname = 'organization_id' and a.attnum > 0 and not a.attisdropped
     order by 1`,
  )
  const rest = new Map(rows.map(({ name, refersTo }) => [name, refersTo]))
  const ordered: string[] = []
  while (rest.size > 0) {
    const referredTo = new Set([...rest.values()].flat())
    const free = [...rest.keys()].filter((name) => !referredTo.has(name))
    // Tables that refer to each other in a circle: their own constraints have to say what goes along.
    for (const name of free.length > 0 ? free : [...rest.keys()]) {
      ordered.push(name)
      rest.delete(name)
    }
  }
  return ordered
}
