import {
  type FieldFault,
  isProblemCode,
  type ProblemCode,
  Refusal,
} from '@pdfnorm/contracts/schema/problem'
import { metadataOf, type MountedEndpoint } from './mounted-endpoint.ts'

/** What a schema found, as zod and the Standard Schema interface both tell it. */
interface Issue {
  code?: string
  message: string
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined
}

interface Found {
  issues: readonly Issue[]
}

/** The faults of each part of a request; null: it has none. */
export interface FaultyParts {
  pathParams?: Found | null
  query?: Found | null
  headers?: Found | null
  body?: Found | null
}

/**
 * One refusal for all faults of a request. If they are of one kind that the endpoint's metadata
 * gives a code of its own, the refusal has that code; else it is a VALIDATION_ERROR.
 *
 * @param sent what the parts hold
 */
export function validationRefusal(
  endpoint: MountedEndpoint,
  parts: FaultyParts,
  sent: Readonly<Record<'params' | 'query' | 'headers' | 'body', unknown>>,
): Refusal {
  return refusalOfFaults([
    ...faultsOf(endpoint, 'path', parts.pathParams, sent.params),
    ...faultsOf(endpoint, 'query', parts.query, sent.query),
    ...faultsOf(endpoint, 'header', parts.headers, sent.headers),
    ...faultsOf(endpoint, 'body', parts.body, sent.body),
  ])
}

/** The refusal for faults that are known one by one; at least one. */
export function refusalOfFaults(errors: readonly FieldFault[]): Refusal {
  const [first] = errors
  const kinds = new Set(errors.map((fault) => fault.code))
  const only = kinds.size === 1 && first !== undefined && isProblemCode(first.code)
  const code: ProblemCode = only ? (first.code as ProblemCode) : 'VALIDATION_ERROR'

  const detail = errors.map((fault) => `${fault.location}: ${fault.message}`).join('; ')
  return new Refusal(code, `${detail}.`, { errors })
}

/**
 * The faults that a schema found in one part of a request: `path`, `query`, `header` or `body`.
 *
 * @param sent the values of the part
 */
export function faultsOf(
  endpoint: MountedEndpoint,
  part: string,
  found: Found | null | undefined,
  sent: unknown,
): FieldFault[] {
  const located = (found?.issues ?? []).map((issue) => {
    const keys = (issue.path ?? []).map((key) => String(typeof key === 'object' ? key.key : key))
    return { issue, keys, location: [part, ...keys].join('.') }
  })
  const otherTypes = located.filter(({ issue }) => issue.code === 'invalid_type')
  // zod goes on: it finds a text in the place of a list too long for one.
  const told = located.filter(
    (one) =>
      otherTypes.includes(one) || !otherTypes.some(({ location }) => location === one.location),
  )
  return told.map(({ issue, keys, location }) => {
    const own = isOfOtherType(issue, valueAt(sent, keys)) ? undefined : codeAt(endpoint, location)
    return {
      location,
      code: own ?? issue.code ?? 'invalid',
      message: issue.message,
    }
  })
}

/** Missing is of another type, too. zod tells it of a choice among texts only by the value. */
function isOfOtherType(issue: Issue, value: unknown): boolean {
  if (issue.code === 'invalid_type') return true
  return issue.code === 'invalid_value' && typeof value !== 'string'
}

/** The endpoint's own code for a fault at this place or above it. */
function codeAt(endpoint: MountedEndpoint, location: string): ProblemCode | undefined {
  const faults = Object.entries(metadataOf(endpoint).faults ?? {})
  return faults.find(([place]) => location === place || location.startsWith(`${place}.`))?.[1]
}

function valueAt(sent: unknown, keys: readonly string[]): unknown {
  let value = sent
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.entries(value).find(([name]) => name === key)?.[1]
  }
  return value
}
