import type { Config } from '../config.ts'
import type { Mail } from '../mailer.ts'
import type { OneTimeTokenPurpose } from '../session/one-time-token.ts'
import { composeMail } from './compose-mail.ts'
import { tokenTtlMs } from './issue-token-mail.ts'

/** The mail that takes a one-time token to its receiver, as a link into the portal. */
export function tokenMail(
  config: Pick<Config, 'baseUrl' | 'verifyEmailTtlMs' | 'passwordResetTtlMs' | 'inviteTtlMs'>,
  mail: { to: string; token: string; purpose: OneTimeTokenPurpose; organizationName: string },
): Omit<Mail, 'id'> {
  const { subject, text, action, otherwise } = words(mail.organizationName)[mail.purpose]
  return composeMail({
    to: mail.to,
    subject,
    text,
    action,
    // In the fragment: it is not sent to a server, so no log and no referrer holds the token.
    link: `${config.baseUrl}/${mail.purpose}#token=${mail.token}`,
    closing: `The link works once, for ${inWords(tokenTtlMs(config, mail.purpose))}. ${otherwise}`,
  })
}

function words(organizationName: string) {
  return {
    'verify-email': {
      subject: 'Verify your e-mail address',
      text: 'Welcome to pdfnorm. Please show that this address is yours.',
      action: 'Verify the address',
      otherwise: 'If you did not register, ignore this mail.',
    },
    'reset-password': {
      subject: 'Set a new password',
      text: 'Somebody, probably you, forgot the password of this address at pdfnorm.',
      action: 'Set a new password',
      otherwise: 'If it was not you, ignore this mail: the password stays as it is.',
    },
    'accept-invite': {
      subject: `Join ${organizationName} on pdfnorm`,
      text: `You are invited to join the organization “${organizationName}” on pdfnorm.`,
      action: 'Accept the invitation',
      otherwise: 'If you do not want to join, ignore this mail.',
    },
  } satisfies Record<OneTimeTokenPurpose, object>
}

/** Whole hours, or minutes where it is less than one. */
function inWords(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000))
  const [count, unit] = minutes < 60 ? [minutes, 'minute'] : [Math.round(minutes / 60), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
