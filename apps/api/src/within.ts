/**
 * Waits for the work, but not longer than the time.
 *
 * @throws when the time is over; the work goes on, and nobody hears of it
 */
export async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`No answer within ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
