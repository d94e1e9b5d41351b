import type { ProblemCode } from '@pdfnorm/contracts/schema/problem'
import { problemOf } from './problem-of.ts'

/** Which field of a form a refusal is about: by the member of the request's body, or by the code. */
export type FieldOf = Readonly<Record<string, string> & Partial<Record<ProblemCode, string>>>

/**
 * What a refusal says about the fields of a form, so that each text stands at its field.
 *
 * @returns the texts by field, and the error again if something is left that no field shows
 */
export function formProblem(
  error: unknown,
  fieldOf: FieldOf,
): { byField: Record<string, string>; rest: unknown } {
  if (error === null) return { byField: {}, rest: null }
  const { code, message, faults } = problemOf(error)
  const byCode = fieldOf[code ?? '']
  if (faults.length === 0 && byCode !== undefined) {
    return { byField: { [byCode]: message }, rest: null }
  }

  const byField: Record<string, string> = {}
  let isComplete = faults.length > 0
  for (const { location, message } of faults) {
    const [part, member = ''] = location.split('.')
    const field = part === 'body' ? fieldOf[member] : undefined
    if (field === undefined) isComplete = false
    else byField[field] ??= message
  }
  return { byField, rest: isComplete ? null : error }
}
