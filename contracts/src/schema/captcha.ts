import { z } from 'zod'

/**
 * Where the browser gets a captcha from, and what its pages may load for it (Content Security Policy), as each provider
 * documents it. The three draw with the same call: `render(element, { sitekey, callback, … })` of their own object.
 */
export const captchaProviders = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    sources: ['https://challenges.cloudflare.com'],
  },
  hcaptcha: {
    script: 'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off',
    sources: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  },
  grecaptcha: {
    script: 'https://www.google.com/recaptcha/api.js?render=explicit',
    sources: [
      'https://www.google.com/recaptcha/',
      'https://www.gstatic.com/recaptcha/',
      'https://recaptcha.google.com/recaptcha/',
    ],
  },
} as const

/** By the name of the object that a provider's script leaves in the page. */
export const CaptchaProvider = z.enum(['turnstile', 'hcaptcha', 'grecaptcha'])
export type CaptchaProvider = z.infer<typeof CaptchaProvider>

/** How the portal's page says which captcha a registration takes: `<meta name="captcha">` with this as JSON. */
export const CaptchaOfPage = z.object({ provider: CaptchaProvider, siteKey: z.string().min(1) })
export type CaptchaOfPage = z.infer<typeof CaptchaOfPage>
