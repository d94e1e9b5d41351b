import { z } from 'zod'

export const Health = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Health', description: 'The process is up.' })
export type Health = z.infer<typeof Health>

const Check = z
  .enum(['ok', 'failed'])
  .meta({ id: 'ReadinessCheck', description: 'Whether a part of the service does its work.' })

export const Readiness = z
  .object({
    status: z.enum(['ready', 'unavailable', 'stopping']).meta({
      id: 'ReadinessStatus',
      description:
        'Whether all parts of the service do their work; `stopping`: the process was told to end and should get no more requests.',
    }),
    checks: z.object({ database: Check, storage: Check, queue: Check }),
  })
  .meta({
    id: 'Readiness',
    description:
      '`ready` when every check is ok and the process goes on; otherwise the status is 503.',
    examples: [{ status: 'ready', checks: { database: 'ok', storage: 'ok', queue: 'ok' } }],
  })
export type Readiness = z.infer<typeof Readiness>
