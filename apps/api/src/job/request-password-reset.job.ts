import { mailPasswordReset } from '../session/request-password-reset.ts'
import { job } from './job.ts'

/** What POST /api/auth/forgot-password leaves for later. */
export const requestPasswordResetJob = job('request-password-reset', (platform, { email }) =>
  mailPasswordReset(platform, email),
)
