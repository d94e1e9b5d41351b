import type { EntityManager } from '@mikro-orm/postgresql'
import { snapshotOfOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import type { ExportArchive } from './export-archive.ts'
import { exportedTables } from './exported-tables.ts'

/** Rows that are in memory at a time. A report may have a hundred kilobytes. */
const rowsAtOnce = 200

/** Adds a JSON file for each kind of record, all as they were at one moment. */
export async function exportRecords(
  { orm }: Pick<Platform, 'orm'>,
  organizationId: string,
  archive: ExportArchive,
): Promise<void> {
  await snapshotOfOrganization(orm, organizationId, async (em) => {
    for (const [table, exported] of Object.entries(exportedTables)) {
      if (typeof exported === 'string') continue
      await archive.add(`data/${exported.file}.json`, jsonArray(em, table, exported.columns))
    }
  })
}

/** The rows that row-level security shows, as the lines of a JSON array. */
async function* jsonArray(
  em: EntityManager,
  table: string,
  columns: readonly string[],
): AsyncGenerator<string> {
  const values = await valuesOf(em, table, columns)
  await em.execute(
    `declare exported no scroll cursor for
     select row_to_json(line)::text as line from (select ${values} from ${table} order by ${columns[0]}) line`,
  )
  let separator = '[\n'
  for (;;) {
    const rows = await em.execute<{ line: string }[]>(`fetch ${rowsAtOnce} from exported`)
    if (rows.length === 0) break
    yield separator + rows.map(({ line }) => line).join(',\n')
    separator = ',\n'
  }
  await em.execute('close exported')
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** The columns under the names and in the forms that the interface gives such things (decision 1.7). */
async function valuesOf(
  em: EntityManager,
  table: string,
  columns: readonly string[],
): Promise<string> {
  const times = await em.execute<{ name: string }[]>(
    `select attname as name from pg_attribute
     where attrelid = ?::regclass and atttypid = 'timestamptz'::regtype and attnum > 0`,
    [table],
  )
  const isTime = new Set(times.map(({ name }) => name))
  return columns
    .map((column) => {
      const value = isTime.has(column)
        ? `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
        : column
      return `${value} as "${column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}"`
    })
    .join(', ')
}
