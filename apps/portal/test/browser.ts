import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Chromium on this machine; null: the tests that need it are skipped. */
export const chromiumPath = findChromium()

export const howToInstall =
  'needs Chromium: apt install chromium, or CHROMIUM_PATH says where it is'

export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === null) throw new Error(`The portal's test ${howToInstall}.`)
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-quic',
    ],
  })
}

function findChromium(): string | null {
  const places = [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  return places.find((path) => path !== undefined && existsSync(path)) ?? null
}
