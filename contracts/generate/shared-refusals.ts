import type { PathItemObject, ResponseObject } from 'openapi3-ts/oas31'
import { problemCodesOf } from './operation.ts'

const methods = ['get', 'post', 'put', 'delete', 'patch'] as const

/** Beyond this many codes the joined name says less than the list itself. */
const codesInName = 3

/**
 * Writes a refusal that many operations give once, as a component that they refer to. Its name is made of its
 * codes; of two refusals with the same codes and other headers the first is shared.
 */
export function shareRefusals(items: Record<string, PathItemObject>): {
  items: Record<string, PathItemObject>
  shared: Map<string, ResponseObject>
} {
  const shared = new Map<string, ResponseObject>()
  for (const item of Object.values(items)) {
    for (const method of methods) {
      const responses = item[method]?.responses ?? {}
      for (const [status, response] of Object.entries(responses)) {
        const name = sharedName(response)
        if (name === null) continue
        const first = shared.get(name) ?? response
        if (JSON.stringify(first) !== JSON.stringify(response)) continue
        shared.set(name, response)
        responses[status] = { $ref: `#/components/responses/${name}` }
      }
    }
  }
  return { items, shared }
}

function sharedName(response: ResponseObject): string | null {
  const codes = problemCodesOf(response)
  if (codes.length === 0 || codes.length > codesInName) return null
  return codes.map(pascalCase).join('Or')
}

/** `QUOTA_EXCEEDED` as `QuotaExceeded`. */
function pascalCase(code: string): string {
  return code
    .toLowerCase()
    .replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
