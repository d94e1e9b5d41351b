import { UniqueConstraintViolationException } from '@mikro-orm/core'

/** The name of the unique constraint that a statement violated; PostgreSQL tells it in a field of its own. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof UniqueConstraintViolationException)) return null
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : null
}
