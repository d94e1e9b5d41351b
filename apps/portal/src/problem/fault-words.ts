import type { core } from 'zod'

/** What a form says of a text that does not fit its field; undefined: the schema's own words will do. */
export function faultWords(issue: core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'too_small':
      if (issue.origin !== 'string') return undefined
      return issue.minimum === 1 ? 'Fill this in.' : `At least ${issue.minimum} characters.`
    case 'too_big':
      return issue.origin === 'string' ? `At most ${issue.maximum} characters.` : undefined
    case 'invalid_format':
      return issue.format === 'email' ? 'Enter an e-mail address, as ada@example.com.' : undefined
    default:
      return undefined
  }
}
