import type { Config } from '../config.ts'

/** Where the database is. */
export interface DatabaseAddress {
  url: string
  /** Where `url` is a pooler that keeps no session, or its user may not change tables: the database itself, as owner. */
  directUrl?: string | undefined
}

/** Where the settings say that the database is; else it is the one that this process brought along. */
export function databaseAddress(
  { databaseUrl, databaseDirectUrl }: Pick<Config, 'databaseUrl' | 'databaseDirectUrl'>,
  embedded: { url: string } | null,
): DatabaseAddress {
  const url = databaseUrl ?? embedded?.url
  if (url === undefined) throw new Error('There is no database')
  return { url, directUrl: databaseDirectUrl }
}
