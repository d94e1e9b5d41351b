/** What was typed cannot be done. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
