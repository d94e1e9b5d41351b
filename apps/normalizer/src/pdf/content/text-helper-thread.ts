import { parentPort } from 'node:worker_threads'
import { claimedPages, join, type PageClaims } from './page-claims.ts'
import { startTextEngine, type TextEngine } from './text-engine.ts'

export interface HelperTask {
  readonly bytes: Uint8Array
  readonly claims: PageClaims
}

/** Numbers of pages and their texts. */
export type HelperAnswer = readonly (readonly [number, string])[]

/**
 * The helper's side. It ends with a fault or when its engine is worn out: then its inviter reads the pages that it took,
 * and later invites another.
 */
if (parentPort) {
  const port = parentPort
  const engine = await startTextEngine()
  port.on('message', ({ bytes, claims }: HelperTask) => {
    const answer = read(engine, bytes, claims)
    if (answer !== null) port.postMessage(answer, [])
    if (engine.wornOut) port.close()
  })
}

/** null when the work was done without this thread. */
function read(engine: TextEngine, bytes: Uint8Array, claims: PageClaims): HelperAnswer | null {
  if (!join(claims)) return null
  const document = engine.open(bytes)
  try {
    const texts: [number, string][] = []
    for (const page of claimedPages(claims, document.pageCount)) {
      texts.push([page, document.pageText(page)])
    }
    return texts
  } finally {
    document.close()
  }
}
