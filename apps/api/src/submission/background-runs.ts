/** Runs that go on when nobody waits for them any more; a process that stops waits for their end. */
export interface BackgroundRuns {
  track<T>(run: Promise<T>): Promise<T>
  /** Resolves when every tracked run has ended, one way or the other, or when the patience is over. */
  settle(patienceMs: number): Promise<void>
}

export function createBackgroundRuns(): BackgroundRuns {
  const going = new Set<Promise<unknown>>()
  return {
    track(run) {
      going.add(run)
      const forget = () => going.delete(run)
      run.then(forget, forget)
      return run
    },
    async settle(patienceMs) {
      const { promise: impatience, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, patienceMs)
      await Promise.race([impatience, Promise.allSettled(going)])
      clearTimeout(timer)
    },
  }
}
