import { Problem } from '@pdfnorm/contracts/schema/problem'
import { factsOf, ProblemError, serviceFailed, unreachable } from '../problem/problem-error.ts'

/** An endpoint as the contracts describe it. */
export interface CalledEndpoint {
  readonly method: string
  readonly path: string
}

/**
 * Calls an endpoint of the interface with a JSON body.
 *
 * @returns the body of the answer
 * @throws ProblemError when there is no answer, or a refusal
 */
export async function callApi(
  { method, path }: CalledEndpoint,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new ProblemError(unreachable, { cause })
  })
  if (!response.ok) throw await problemOfAnswer(response)
  return response.json()
}

/** The problem that an answer tells. */
export async function problemOfAnswer(response: Response): Promise<ProblemError> {
  const facts = factsOf(response.headers)
  const body: unknown = await response.json().catch(() => null)
  const problem = Problem.safeParse(body)
  if (!problem.success) return new ProblemError(serviceFailed, facts)
  const { detail, title, code, errors } = problem.data
  return new ProblemError(problem.data.status >= 500 ? serviceFailed : (detail ?? title), {
    ...facts,
    code,
    faults: errors ?? [],
  })
}
