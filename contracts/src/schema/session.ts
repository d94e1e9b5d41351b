import { z } from 'zod'
import { Uuid } from './identifier.ts'
import { limits } from './limit.ts'
import { Email, MemberRole } from './member.ts'
import { OrganizationName, Slug } from './organization.ts'

/** A password that is being set. */
export const NewPassword = z
  .string()
  .min(limits.passwordMinCharacters)
  .max(limits.passwordMaxCharacters)

/** A token from a mail. */
const MailedToken = z.string().min(1).max(512)

/** The cookie that carries the refresh token (interface, section 5; decision 3.6). */
export const refreshCookie = { name: 'refresh_token', path: '/api/auth' } as const

export const RegisterRequest = z
  .object({
    orgName: OrganizationName,
    orgSlug: Slug,
    ownerEmail: Email,
    ownerPassword: NewPassword,
    captchaToken: z.string().max(limits.captchaTokenMaxCharacters).optional(),
  })
  .meta({
    id: 'RegisterRequest',
    description: 'An organization and its owner.',
    examples: [
      {
        orgName: 'Acme',
        orgSlug: 'acme',
        ownerEmail: 'ada@example.com',
        ownerPassword: 'correct horse battery staple',
      },
    ],
  })
export type RegisterRequest = z.infer<typeof RegisterRequest>

export const RegisterResponse = z
  .object({
    organization: z.object({
      id: Uuid,
      name: z.string().meta({ examples: ['Acme'] }),
      slug: Slug,
    }),
    user: z.object({ id: Uuid, email: Email, role: MemberRole, emailVerified: z.boolean() }),
    message: z.string().meta({
      examples: ['The organization is registered. Verify the address with the link in the mail.'],
    }),
  })
  .meta({
    id: 'RegisterResponse',
    description: 'The organization and its owner as they were created.',
  })
export type RegisterResponse = z.infer<typeof RegisterResponse>

export const LoginRequest = z
  .object({
    email: z.string().min(1).max(limits.emailMaxCharacters),
    password: z.string().min(1).max(limits.passwordMaxCharacters),
  })
  .meta({
    id: 'LoginRequest',
    description:
      'Neither field is checked for its form: what nobody registered is wrong, not malformed.',
    examples: [{ email: 'ada@example.com', password: 'correct horse battery staple' }],
  })
export type LoginRequest = z.infer<typeof LoginRequest>

export const SessionTokens = z
  .object({
    access_token: z
      .string()
      .meta({ examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk5YzhhNCJ9.c2lnbmF0dXJl'] }),
    token_type: z.literal('Bearer'),
    expires_in: z
      .int()
      .positive()
      .meta({ description: 'Seconds.', examples: [900] }),
  })
  .meta({
    id: 'SessionTokens',
    description: 'The access token of a session; the refresh token is in its cookie.',
  })
export type SessionTokens = z.infer<typeof SessionTokens>

export const ForgotPasswordRequest = z.object({ email: Email }).meta({
  id: 'ForgotPasswordRequest',
  description: 'The address to which the mail goes.',
  examples: [{ email: 'ada@example.com' }],
})
export type ForgotPasswordRequest = z.infer<typeof ForgotPasswordRequest>

export const ResendVerificationRequest = z.object({ email: Email }).meta({
  id: 'ResendVerificationRequest',
  description: 'The address that is to be verified.',
  examples: [{ email: 'ada@example.com' }],
})
export type ResendVerificationRequest = z.infer<typeof ResendVerificationRequest>

export const ResetPasswordRequest = z
  .object({ token: MailedToken, newPassword: NewPassword })
  .meta({
    id: 'ResetPasswordRequest',
    description: 'The token of a mail and the new password.',
    examples: [{ token: 'q1w2e3r4t5y6', newPassword: 'another good passphrase' }],
  })
export type ResetPasswordRequest = z.infer<typeof ResetPasswordRequest>

export const VerifyEmailRequest = z.object({ token: MailedToken }).meta({
  id: 'VerifyEmailRequest',
  description: 'The token of the mail that verifies an address.',
  examples: [{ token: 'q1w2e3r4t5y6' }],
})
export type VerifyEmailRequest = z.infer<typeof VerifyEmailRequest>

export const AcceptInviteRequest = z.object({ token: MailedToken, password: NewPassword }).meta({
  id: 'AcceptInviteRequest',
  description: "The token of an invitation and the new member's password.",
  examples: [{ token: 'q1w2e3r4t5y6', password: 'a passphrase of my own' }],
})
export type AcceptInviteRequest = z.infer<typeof AcceptInviteRequest>
