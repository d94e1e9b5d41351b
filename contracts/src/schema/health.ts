import { z } from 'zod'

export const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })
export type Health = z.infer<typeof Health>

const Check = z.enum(['ok', 'failed']).meta({ id: 'ReadinessCheck' })

/** `ready` when every check is ok; otherwise the status is 503. */
export const Readiness = z
  .object({
    status: z.enum(['ready', 'unavailable']).meta({ id: 'ReadinessStatus' }),
    checks: z.object({ database: Check, storage: Check, queue: Check }),
  })
  .meta({
    id: 'Readiness',
    examples: [{ status: 'ready', checks: { database: 'ok', storage: 'ok', queue: 'ok' } }],
  })
export type Readiness = z.infer<typeof Readiness>
