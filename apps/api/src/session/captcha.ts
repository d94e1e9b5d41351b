import { z } from 'zod'
import type { Config } from '../config.ts'

/** How long the captcha's provider may take to answer. */
const patienceMs = 5000

/** Turnstile, hCaptcha and reCAPTCHA share this form. */
const Verdict = z.object({ success: z.boolean() })

/** Whether the token proves a solved captcha; without a configured provider it is not asked. */
export async function passesCaptcha(
  { captchaVerifyUrl, captchaSecret }: Pick<Config, 'captchaVerifyUrl' | 'captchaSecret'>,
  token: string | undefined,
): Promise<boolean> {
  if (captchaVerifyUrl === undefined || captchaSecret === undefined) return true
  if (token === undefined || token === '') return false

  const response = await fetch(captchaVerifyUrl, {
    method: 'POST',
    body: new URLSearchParams({ secret: captchaSecret, response: token }),
    signal: AbortSignal.timeout(patienceMs),
  })
  const verdict = Verdict.safeParse(await response.json())
  return verdict.success && verdict.data.success
}
