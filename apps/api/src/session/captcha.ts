import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { z } from 'zod'
import type { Config } from '../config.ts'

/** How long the captcha's provider may take to answer. */
const patienceMs = 5000

/** Turnstile, hCaptcha and reCAPTCHA share this form. */
const Verdict = z.object({ success: z.boolean() })

/** Why the token does not prove a solved captcha; without a configured provider it is not asked for. */
export async function captchaRefusal(
  { captchaVerifyUrl, captchaSecret }: Pick<Config, 'captchaVerifyUrl' | 'captchaSecret'>,
  token: string | undefined,
): Promise<Refusal<'CAPTCHA_FAILED' | 'UNAVAILABLE'> | null> {
  if (captchaVerifyUrl === undefined || captchaSecret === undefined) return null
  if (token === undefined || token === '') return failed()

  const form = new URLSearchParams({ secret: captchaSecret, response: token })
  const answer = await askProvider(captchaVerifyUrl, form)
  if (answer === null) {
    return new Refusal('UNAVAILABLE', 'The captcha cannot be checked now. Try again.', {
      retryAfterSeconds: 10,
    })
  }
  const verdict = Verdict.safeParse(answer)
  return verdict.success && verdict.data.success ? null : failed()
}

/** What the provider says; null: nothing that can be read, in time. */
async function askProvider(url: string, form: URLSearchParams): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const response = await fetch(url, { method: 'POST', body: form, signal })
    return await response.json()
  } catch {
    return null
  }
}

function failed(): Refusal<'CAPTCHA_FAILED'> {
  return new Refusal('CAPTCHA_FAILED', 'Solve the captcha and send its token.')
}
