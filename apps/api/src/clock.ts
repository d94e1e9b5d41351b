/** What time it is; tests hold the hands of another one. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
