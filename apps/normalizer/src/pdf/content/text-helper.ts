import { Worker } from 'node:worker_threads'
import { createPageClaims, hasJoined, type PageClaims } from './page-claims.ts'
import type { HelperAnswer, HelperTask } from './text-helper-thread.ts'

/** A second thread with a text engine of its own, which takes part of the pages of long documents. */
export class TextHelper {
  readonly #thread: Worker
  #answered: ((answer: HelperAnswer) => void) | null = null
  #ended = false

  constructor() {
    this.#thread = new Worker(new URL('./text-helper-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    this.#thread.on('message', (answer: HelperAnswer) => this.#answer(answer))
    const end = (): void => {
      this.#ended = true
      this.#answer([])
    }
    // One that dies takes its pages with it: whoever invited it reads them again.
    this.#thread.on('error', end).on('exit', end)
    // An idle helper keeps no process alive.
    this.#thread.unref()
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Hands the document over; the thread joins when it has got that far, be it still starting. */
  invite(bytes: Uint8Array): PageClaims {
    const claims = createPageClaims()
    const task: HelperTask = { bytes, claims }
    this.#thread.postMessage(task, [])
    return claims
  }

  /** The pages that the helper took, as far as it could read them; for when no page is left to claim. */
  async pagesTaken(claims: PageClaims): Promise<HelperAnswer> {
    if (!hasJoined(claims) || this.#ended) return []
    const answer = new Promise<HelperAnswer>((resolve) => (this.#answered = resolve))
    this.#thread.ref()
    try {
      return await answer
    } finally {
      this.#thread.unref()
    }
  }

  #answer(answer: HelperAnswer): void {
    this.#answered?.(answer)
    this.#answered = null
  }
}
