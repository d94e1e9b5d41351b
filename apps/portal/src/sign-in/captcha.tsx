import { Text, useComputedColorScheme } from '@mantine/core'
import {
  type CaptchaOfPage,
  type CaptchaProvider,
  captchaProviders,
} from '@pdfnorm/contracts/schema/captcha'
import { type ReactNode, useEffect, useRef, useState } from 'react'

/**
 * The captcha of whoever the service trusts with it.
 *
 * @param error what is wrong with the answer @param onToken what proves the answer; empty once that is too old
 */
export function Captcha({
  captcha: { provider, siteKey },
  error,
  onToken,
}: {
  captcha: CaptchaOfPage
  error: ReactNode
  onToken: (token: string) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  const theme = useComputedColorScheme('light')
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    let isLeft = false
    const draw = async () => {
      const captchas = await load(provider)
      if (isLeft || place.current === null) return
      // Drawn once into an element: what was drawn there before goes with its element.
      const element = document.createElement('div')
      place.current.replaceChildren(element)
      captchas.render(element, {
        sitekey: siteKey,
        theme,
        callback: onToken,
        'expired-callback': () => onToken(''),
      })
    }
    draw().catch(() => setMissing(true))
    return () => {
      isLeft = true
    }
  }, [provider, siteKey, theme, onToken])

  return (
    <div role="group" aria-label="Captcha">
      <div ref={place} />
      {(isMissing || Boolean(error)) && (
        <Text size="sm" c="error" role="alert">
          {isMissing
            ? `The captcha could not be loaded from ${new URL(captchaProviders[provider].script).host}.`
            : error}
        </Text>
      )}
    </div>
  )
}

/** What the providers' scripts have in common. */
interface Captchas {
  render(
    element: HTMLElement,
    options: {
      sitekey: string
      theme: 'light' | 'dark'
      callback: (token: string) => void
      'expired-callback': () => void
    },
  ): unknown
}

/** All of them call a function of the page, by its name, once they can draw. */
const readyName = 'pdfnormCaptchaReady'
const loading = new Map<CaptchaProvider, Promise<Captchas>>()

function load(provider: CaptchaProvider): Promise<Captchas> {
  const known = loading.get(provider)
  if (known !== undefined) return known
  const page = globalThis as unknown as Record<string, unknown>
  const loaded = new Promise<Captchas>((resolve, reject) => {
    page[readyName] = () => resolve(page[provider] as Captchas)
    const script = document.createElement('script')
    script.src = `${captchaProviders[provider].script}&onload=${readyName}`
    script.addEventListener('error', () => {
      loading.delete(provider)
      reject(new Error(`${script.src} was not loaded`))
    })
    document.head.append(script)
  })
  loading.set(provider, loaded)
  return loaded
}
