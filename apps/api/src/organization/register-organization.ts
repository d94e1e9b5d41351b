import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { regions } from '@pdfnorm/contracts/schema/region'
import type { RegisterRequest, RegisterResponse } from '@pdfnorm/contracts/schema/session'
import { v7 as uuidv7 } from 'uuid'
import { withOrganization } from '../database/transaction.ts'
import { violatedConstraint } from '../database/violated-constraint.ts'
import { issueTokenMail } from '../mail/issue-token-mail.ts'
import { MemberEntity } from '../member/member.ts'
import type { Platform } from '../platform.ts'
import { captchaRefusal } from '../session/captcha.ts'
import { hashPassword, weakness } from '../session/password.ts'
import { OrganizationEntity } from './organization.ts'
import { isReserved, slugTaken } from './slug.ts'

type RegisterRefusal = Refusal<
  'SLUG_TAKEN' | 'EMAIL_TAKEN' | 'WEAK_PASSWORD' | 'CAPTCHA_FAILED' | 'UNAVAILABLE'
>

/** Makes an organization on the free plan and its owner, both or neither, and mails the owner. */
export async function registerOrganization(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'queue' | 'secretsKey'>,
  request: RegisterRequest,
): Promise<RegisterResponse | RegisterRefusal> {
  const weak = weakness(request.ownerPassword)
  if (weak) return weak
  if (isReserved(request.orgSlug)) return slugTaken(request.orgSlug)
  // A provider takes a token once: it is spent on a registration that can succeed.
  const suspicious = await captchaRefusal(platform.config, request.captchaToken)
  if (suspicious) return suspicious

  return openOrganization(platform, request, await hashPassword(request.ownerPassword))
}

async function openOrganization(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'queue' | 'secretsKey'>,
  request: RegisterRequest,
  passwordHash: string,
): Promise<RegisterResponse | RegisterRefusal> {
  const now = platform.clock.now()
  const id = uuidv7()
  const email = request.ownerEmail.toLowerCase()
  try {
    return await withOrganization(platform.orm, id, async (em) => {
      const organization = em.create(OrganizationEntity, {
        id,
        name: request.orgName,
        slug: request.orgSlug,
        schemaName: `org_${id.replaceAll('-', '')}`,
        contactEmail: email,
        defaultRegion: null,
        allowedRegions: [...regions],
        planTier: 'free',
        isActive: true,
        createdAt: now,
      })
      await em.flush()
      const member = em.create(MemberEntity, {
        id: uuidv7(),
        organizationId: id,
        email,
        passwordHash,
        role: 'owner',
        isActive: true,
        emailVerified: false,
        createdAt: now,
        lastLoginAt: null,
      })
      await em.flush()
      await issueTokenMail(platform, em, organization, 'verify-email', { memberId: member.id })
      return {
        organization: { id, name: organization.name, slug: organization.slug },
        user: { id: member.id, email, role: member.role, emailVerified: member.emailVerified },
        message: 'The organization is registered. Verify the address with the link in the mail.',
      }
    })
  } catch (error) {
    switch (violatedConstraint(error)) {
      case 'organization_slug_unique':
        return slugTaken(request.orgSlug)
      case 'member_email_unique':
        return new Refusal('EMAIL_TAKEN', 'A member with this e-mail address exists already.')
      default:
        throw error
    }
  }
}
