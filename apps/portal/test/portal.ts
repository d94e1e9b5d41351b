import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { startTestServer, type TestServer, type TestServerOptions } from '../../api/test/server.ts'
import { openBrowser } from './browser.ts'

/** The service with its portal, and a browser. */
export interface OpenPortal extends AsyncDisposable {
  server: TestServer
  /** A browser of its own, as far as cookies and storage can tell. */
  visitor(options?: BrowserContextOptions): Promise<BrowserContext>
}

/** Starts what every journey of a test file shares. */
export async function openPortal(options: TestServerOptions = {}): Promise<OpenPortal> {
  const [server, browser] = await Promise.all([
    startTestServer({ work: true, ...options }),
    openBrowser(),
  ])
  return {
    server,
    visitor: (contextOptions) =>
      browser.newContext({ baseURL: server.url, reducedMotion: 'reduce', ...contextOptions }),
    async [Symbol.asyncDispose]() {
      await browser.close()
      await server[Symbol.asyncDispose]()
    },
  }
}
