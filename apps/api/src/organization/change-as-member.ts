import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { isAtLeast, type MemberRole } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import { MemberEntity } from '../member/member.ts'
import { lockOrganization, type Organization, organizationInactive } from './organization.ts'

/** How what let a request in may be gone when its change begins. */
export type ChangeRefusal = Refusal<
  'ORGANIZATION_INACTIVE' | 'INSUFFICIENT_ROLE' | 'INVALID_ACCESS_TOKEN'
>

/** What is done within the transaction, with the organization and the caller's role as they are then. */
type Work<Result> = (
  em: EntityManager,
  organization: Organization,
  role: MemberRole,
) => Promise<Result>

/**
 * Runs a change that a member asks for in one transaction, with the organization locked. What let the request in is
 * asked again: while it waited for the lock the caller may have lost the role, or the organization may have been
 * deactivated.
 *
 * @param least the role that the change takes
 */
export async function changeAsMember<Result>(
  orm: MikroORM,
  caller: MemberCaller,
  least: MemberRole,
  work: Work<Result>,
): Promise<Result | ChangeRefusal> {
  return actAsMember<Result | ChangeRefusal>(orm, caller, least, async (em, organization, role) =>
    organization.isActive
      ? work(em, organization, role)
      : new Refusal('ORGANIZATION_INACTIVE', organizationInactive),
  )
}

/** As `changeAsMember`, for what a deactivated organization may still do. */
export async function actAsMember<Result>(
  orm: MikroORM,
  caller: MemberCaller,
  least: MemberRole,
  work: Work<Result>,
): Promise<Result | Refusal<'INSUFFICIENT_ROLE' | 'INVALID_ACCESS_TOKEN'>> {
  return withOrganization(orm, caller.organization.id, async (em) => {
    const organization = await lockOrganization(em, caller.organization.id)
    const member = await em.findOne(MemberEntity, { id: caller.memberId, isActive: true })
    if (member === null) {
      return new Refusal('INVALID_ACCESS_TOKEN', 'The member is not active any more.')
    }
    if (!isAtLeast(member.role, least)) {
      return new Refusal('INSUFFICIENT_ROLE', `This takes the role ${least} at least.`)
    }
    return work(em, organization, member.role)
  })
}
