import { operations } from '@pdfnorm/contracts/endpoint/operations'
import type { Readiness } from '@pdfnorm/contracts/schema/health'
import type { Express } from 'express'
import type { Platform } from '../platform.ts'
import { within } from '../within.ts'

/** Whoever asks waits for the slowest part so long. */
const checkTimeoutMs = 2_000

type Check = Readiness['checks'][keyof Readiness['checks']]

/** What watches the process: orchestrators, load balancers and Prometheus (contracts/src/endpoint/operations.ts). */
export function mountProbes(app: Express, platform: Platform): void {
  const { metrics } = platform
  const readiness = oneAtATime(() => checkReadiness(platform))

  app.get(operations.getHealth.path, (_req, res) => {
    res.json({ status: 'ok' })
  })
  app.get(operations.getReadiness.path, async (_req, res) => {
    const answer = await readiness()
    if (answer.status !== 'ready') res.setHeader('Retry-After', '5')
    res.status(answer.status === 'ready' ? 200 : 503).json(answer)
  })
  app.get(operations.getMetrics.path, async (_req, res) => {
    res.setHeader('Content-Type', metrics.registry.contentType)
    res.send(await metrics.registry.metrics())
  })
}

/** However many ask meanwhile, the work is done once for all of them. */
function oneAtATime<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let going: Promise<Result> | null = null
  return () =>
    (going ??= work().finally(() => {
      going = null
    }))
}

async function checkReadiness(platform: Platform): Promise<Readiness> {
  const [database, storage, queue] = await Promise.all([
    check(platform, 'database', () => platform.orm.em.fork().execute('select 1')),
    check(platform, 'storage', () => platform.objects.check()),
    check(platform, 'queue', () => platform.queue.ping()),
  ])
  const checks = { database, storage, queue }
  if (platform.lifecycle.stopping) return { status: 'stopping', checks }
  const ready = database === 'ok' && storage === 'ok' && queue === 'ok'
  return { status: ready ? 'ready' : 'unavailable', checks }
}

async function check(
  platform: Platform,
  name: string,
  ask: () => Promise<unknown>,
): Promise<Check> {
  try {
    await within(checkTimeoutMs, ask())
    return 'ok'
  } catch (error) {
    platform.log.error({ err: error, check: name }, 'the service is not ready')
    return 'failed'
  }
}
