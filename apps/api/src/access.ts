import { isAtLeast } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Caller } from './caller.ts'
import { lists, metadataOf, type MountedEndpoint } from './mounted-endpoint.ts'
import { organizationInactive } from './organization/organization.ts'

/** What an endpoint, or its twin among the procedures, asks for and the caller does not have. */
export function shortOfAccess(
  endpoint: MountedEndpoint,
  caller: Caller,
): Refusal<'INSUFFICIENT_SCOPE' | 'INSUFFICIENT_ROLE' | 'ORGANIZATION_INACTIVE'> | null {
  const metadata = metadataOf(endpoint)
  if (metadata.auth === 'api-key' && caller.kind === 'api-key') {
    const { scopes } = metadata
    if (!scopes.some((scope) => caller.scopes.includes(scope))) {
      return new Refusal('INSUFFICIENT_SCOPE', `The key needs the scope ${scopes.join(' or ')}.`)
    }
  }
  if (metadata.auth === 'bearer' && caller.kind === 'member') {
    if (!isAtLeast(caller.role, metadata.role)) {
      return new Refusal('INSUFFICIENT_ROLE', `This takes the role ${metadata.role} at least.`)
    }
  }
  // Every endpoint that changes something lists this refusal in its contract.
  if (!caller.organization.isActive && lists(endpoint, 403, 'ORGANIZATION_INACTIVE')) {
    return new Refusal('ORGANIZATION_INACTIVE', organizationInactive)
  }
  return null
}
