import { CaptchaOfPage } from '@pdfnorm/contracts/schema/captcha'

/** The captcha that a registration takes, as the server says in the page (apps/api/src/http/portal.ts); null: none. */
export function captchaOfPage(): CaptchaOfPage | null {
  const content = document.querySelector<HTMLMetaElement>('meta[name="captcha"]')?.content
  return content === undefined ? null : CaptchaOfPage.parse(JSON.parse(content))
}
