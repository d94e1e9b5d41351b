import { randomBytes } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CaptchaOfPage, captchaProviders } from '@pdfnorm/contracts/schema/captcha'
import type { Express, Request, RequestHandler, Response } from 'express'
import type { Config } from '../config.ts'
import { page, pagePolicy } from './reference-page.ts'

/** Where `npm run build` puts the portal (apps/portal/build/build-portal.ts). */
const builtPortal = fileURLToPath(new URL('../../../portal/dist/', import.meta.url))

/** The address that a start prints: the portal's first page. */
export const indexPath = '/'

/** Files whose names change with their content. */
const hashedFiles = '/assets/*path'

/** The portal: its first page, and the files that its pages are made of. Its other pages: {@link portalPages}. */
export function mountPortal(app: Express, config: PageConfig, directory = builtPortal): void {
  app.get(indexPath, async (_req, res) => sendPage(res, config, directory))
  app.get([hashedFiles, '/favicon.svg'], async (req, res, next) => {
    const isHashed = req.path.startsWith('/assets/')
    const encoding = await chosenEncoding(req, directory)
    res.type(extname(req.path))
    res.vary('Accept-Encoding')
    if (encoding !== null) res.setHeader('Content-Encoding', encoding.name)
    res.setHeader(
      'Cache-Control',
      isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    )
    // A worker has the policy of its own file.
    res.setHeader('Content-Security-Policy', policy())
    const options = { root: directory, cacheControl: false, etag: false, acceptRanges: false }
    res.sendFile(`.${req.path}${encoding?.suffix ?? ''}`, options, (error?: Error) => {
      if (error === undefined || res.headersSent) return
      for (const name of ['Content-Encoding', 'Content-Type', 'Last-Modified']) {
        res.removeHeader(name)
      }
      res.setHeader('Cache-Control', 'no-store')
      next()
    })
  })
}

/**
 * The pages of the portal at their own addresses: what no endpoint answers, and a browser asks for as a page, is the
 * portal's to show. Programs, and everything under the service's own paths, are told that nothing is there.
 */
export function portalPages(config: PageConfig, directory = builtPortal): RequestHandler {
  return async (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    const asksForPage = req.get('accept')?.includes('text/html') === true
    if (!isRead || !asksForPage || servicePaths.test(req.path)) return next()
    await sendPage(res, config, directory)
  }
}

const servicePaths = /^\/(?:api|rpc|docs|assets|\.well-known)(?:\/|$)/

/** What a page is told of the configuration. */
type PageConfig = Pick<Config, 'captchaOfPage'>

async function sendPage(
  res: Response,
  { captchaOfPage: captcha }: PageConfig,
  directory: string,
): Promise<void> {
  const html = await readFile(join(directory, 'index.html'), 'utf8').catch(() => null)
  res.setHeader('Content-Type', 'text/html; charset=utf-8')
  if (html === null) {
    res.setHeader('Content-Security-Policy', pagePolicy)
    res.send(unbuiltPage)
    return
  }
  const nonce = randomBytes(16).toString('base64')
  res.setHeader('Content-Security-Policy', policy({ nonce, captcha }))
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  const withNonce = html.replaceAll(noncePlace, nonce)
  res.send(captcha === null ? withNonce : withNonce.replace('</head>', () => captchaMeta(captcha)))
}

/** Read by the form of a registration (apps/portal/src/sign-in/captcha-of-page.ts). */
function captchaMeta(captcha: CaptchaOfPage): string {
  const json = JSON.stringify(captcha).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<meta name="captcha" content="${json}" /></head>`
}

/** What stands in the built page for the nonce (apps/portal/vite.config.ts). */
const noncePlace = 'nonce-of-the-answer'

/**
 * Programs and styles come from this server's files, or carry the answer's nonce (Content Security Policy, level 3):
 * markup that somebody smuggles into a page runs nothing and loads nothing.
 */
function policy({
  nonce,
  captcha = null,
}: { nonce?: string; captcha?: CaptchaOfPage | null } = {}) {
  const inline = nonce === undefined ? '' : ` 'nonce-${nonce}'`
  // A captcha is the one thing that comes from elsewhere, where somebody has asked for it.
  const sources = captcha === null ? [] : captchaProviders[captcha.provider].sources
  const elsewhere = sources.map((source) => ` ${source}`).join('')
  return [
    "default-src 'none'",
    `script-src 'self'${inline}${elsewhere}`,
    `style-src 'self'${inline}${elsewhere}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${elsewhere}`,
    ...(captcha === null ? [] : [`frame-src${elsewhere}`]),
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The best of the compressed forms that the client takes and the build made. */
async function chosenEncoding(req: Request, directory: string) {
  for (const encoding of encodings) {
    if (!req.acceptsEncodings(encoding.name)) continue
    const exists = await access(join(directory, `.${req.path}${encoding.suffix}`)).then(
      () => true,
      () => false,
    )
    if (exists) return encoding
  }
  return null
}

const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

const unbuiltPage = page(
  'The portal is not built',
  `<p>The service works; its portal has to be built once, in the folder of the project:</p>
<pre>npm run build</pre>
<p>Then load this page again. The endpoints are described at <a href="/docs">/docs</a>.</p>`,
)
