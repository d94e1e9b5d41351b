import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
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
  browser ??= openBrowser()
  const [server, shared] = await Promise.all([startTestServer({ work: true, ...options }), browser])
  const visitors: BrowserContext[] = []
  return {
    server,
    async visitor(contextOptions) {
      const visitor = await shared.newContext({
        baseURL: server.url,
        reducedMotion: 'reduce',
        ...contextOptions,
      })
      visitors.push(visitor)
      return visitor
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(visitors.map((visitor) => visitor.close()))
      await server[Symbol.asyncDispose]()
    },
  }
}

/** One for all files of this process; it ends with it. */
let browser: Promise<Browser> | undefined
