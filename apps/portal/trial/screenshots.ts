// Pictures of every page, to be looked at: npm run screenshots --workspace @pdfnorm/portal -- <directory> [part of a path]
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../test/browser.ts'
import { signInAs } from '../test/sign-in.ts'
import { startDemoService } from './demo-service.ts'
import { seedMuch, seedNone, seedSome } from './seed.ts'

const [directory = '/tmp/portal-pictures', part = ''] = process.argv.slice(2)

const visitorPages = [
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/resend-verification',
  '/verify-email#token=nothing',
  '/reset-password#token=nothing',
  '/accept-invite#token=nothing',
]
const memberPages = [
  '/',
  '/playground',
  '/submissions',
  '/batches',
  '/certificate-check',
  '/api-keys',
  '/webhooks',
  '/webhooks/dead',
  '/team',
  '/organization',
  '/billing',
  '/data-protection',
  '/nowhere',
]
const widths = { wide: 1440, narrow: 390 } as const
const schemes = ['light', 'dark'] as const

await using service = await startDemoService(3977)
const organizations = [await seedNone(service), await seedSome(service), await seedMuch(service)]
const browser = await openBrowser()
for (const [width, pixels] of Object.entries(widths)) {
  for (const scheme of schemes) {
    const look = { width, pixels, scheme }
    await shoot(browser, look, 'visitor', null, visitorPages)
    for (const { name, owner, paths } of organizations) {
      await shoot(browser, look, name, owner, [...memberPages, ...paths])
    }
  }
}
await browser.close()

async function shoot(
  browser: Browser,
  { width, pixels, scheme }: { width: string; pixels: number; scheme: 'light' | 'dark' },
  name: string,
  owner: { email: string; password: string } | null,
  paths: readonly string[],
): Promise<void> {
  const wanted = paths.filter((path) => path.includes(part))
  if (wanted.length === 0) return
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width: pixels, height: 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  if (owner !== null) {
    await page.goto('/sign-in')
    await signInAs(page, owner)
    await page.waitForURL('/')
  }
  const folder = join(directory, name)
  await mkdir(folder, { recursive: true })
  for (const path of wanted) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    const file = path.replaceAll(/[^\w]+/g, '-').replaceAll(/^-|-$/g, '') || 'overview'
    await page.screenshot({ path: join(folder, `${file}-${width}-${scheme}.png`), fullPage: true })
  }
  await context.close()
}
