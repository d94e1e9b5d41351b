import type { Config } from '../config.ts'
import type { Mail } from '../mailer.ts'

/** Asks a member to show that the address is theirs. */
export function verificationMail(
  { baseUrl, verifyEmailTtlMs }: Pick<Config, 'baseUrl' | 'verifyEmailTtlMs'>,
  to: string,
  token: string,
): Mail {
  // In the fragment: it is not sent to a server, so no log and no referrer holds the token.
  const link = `${baseUrl}/verify-email#token=${token}`
  const hours = Math.round(verifyEmailTtlMs / 3_600_000)
  return {
    to,
    link,
    subject: 'Verify your e-mail address',
    text: [
      'Welcome to pdfnorm.',
      '',
      'Please open this link to verify your e-mail address:',
      '',
      link,
      '',
      `It works for ${hours} hours. If you did not register, ignore this mail.`,
      '',
    ].join('\n'),
  }
}
