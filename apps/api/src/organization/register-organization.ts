import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { reservedSlugs } from '@pdfnorm/contracts/schema/organization'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { regions } from '@pdfnorm/contracts/schema/region'
import type { RegisterRequest, RegisterResponse } from '@pdfnorm/contracts/schema/session'
import { v7 as uuidv7 } from 'uuid'
import { withOrganization } from '../database/transaction.ts'
import { MemberEntity } from '../member/member.ts'
import { verificationMail } from '../member/verification-mail.ts'
import type { Platform } from '../platform.ts'
import { passesCaptcha } from '../session/captcha.ts'
import { newSecretToken, OneTimeTokenEntity } from '../session/one-time-token.ts'
import { hashPassword, weakness } from '../session/password.ts'
import { OrganizationEntity } from './organization.ts'

type RegisterRefusal = Refusal<'SLUG_TAKEN' | 'EMAIL_TAKEN' | 'WEAK_PASSWORD' | 'CAPTCHA_FAILED'>

/** Makes an organization on the free plan and its owner, both or neither, and mails the owner. */
export async function registerOrganization(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'mailer' | 'log'>,
  request: RegisterRequest,
): Promise<RegisterResponse | RegisterRefusal> {
  const { config, clock, mailer, log } = platform
  if (!(await passesCaptcha(config, request.captchaToken))) {
    return new Refusal('CAPTCHA_FAILED', 'Solve the captcha and send its token.')
  }
  const weak = weakness(request.ownerPassword)
  if (weak) return weak
  if (reservedSlugs.some((slug) => slug === request.orgSlug)) return slugTaken(request.orgSlug)

  const passwordHash = await hashPassword(request.ownerPassword)
  const { token, tokenHash } = newSecretToken()
  const verification = { tokenHash, expiresAt: new Date(+clock.now() + config.verifyEmailTtlMs) }
  const response = await openOrganization(platform, request, passwordHash, verification)
  if (response instanceof Refusal) return response

  try {
    await mailer.send(verificationMail(config, response.user.email, token))
  } catch (error) {
    // The registration stands; the address can be verified later.
    log.error({ err: error, memberId: response.user.id }, 'the verification mail was not sent')
  }
  return response
}

async function openOrganization(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  request: RegisterRequest,
  passwordHash: string,
  verification: { tokenHash: string; expiresAt: Date },
): Promise<RegisterResponse | RegisterRefusal> {
  const now = clock.now()
  const id = uuidv7()
  const email = request.ownerEmail.toLowerCase()
  try {
    return await withOrganization(orm, id, async (em) => {
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
      em.create(OneTimeTokenEntity, {
        ...verification,
        organizationId: id,
        memberId: member.id,
        purpose: 'verify-email',
        usedAt: null,
      })
      return {
        organization: { id, name: organization.name, slug: organization.slug },
        user: { id: member.id, email, role: member.role, emailVerified: member.emailVerified },
        message: 'The organization is registered. Verify the address with the link in the mail.',
      }
    })
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error
    switch (constraintOf(error)) {
      case 'organization_slug_unique':
        return slugTaken(request.orgSlug)
      case 'member_email_unique':
        return new Refusal('EMAIL_TAKEN', 'A member with this e-mail address exists already.')
      default:
        throw error
    }
  }
}

function slugTaken(slug: string): Refusal<'SLUG_TAKEN'> {
  return new Refusal('SLUG_TAKEN', `The slug ${slug} is taken. Choose another.`)
}

/** PostgreSQL names the violated constraint in a field of its own. */
function constraintOf(error: UniqueConstraintViolationException): string | undefined {
  return 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : undefined
}
