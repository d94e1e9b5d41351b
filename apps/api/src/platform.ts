import type { MikroORM } from '@mikro-orm/postgresql'
import { createNormalizerPool, type NormalizerPool } from '@pdfnorm/normalizer/normalizer-pool'
import { type Logger, pino } from 'pino'
import { type ApiKeyUse, openApiKeyUse } from './api-key/api-key-use.ts'
import type { ObjectStore } from './artifact/object-store.ts'
import { openObjectStore } from './artifact/open-object-store.ts'
import { localDownloads } from './artifact/presigned-download.ts'
import { traceObjectStore } from './artifact/traced-object-store.ts'
import { openSigningKeys, type SigningKeys } from './attestation/signing-keys.ts'
import { type Clock, systemClock } from './clock.ts'
import { openPaymentProcessor } from './billing/open-payment-processor.ts'
import type { PaymentProcessor } from './billing/payment-processor.ts'
import type { Config } from './config.ts'
import { type DatabaseConnection, openOrm } from './database/orm.ts'
import { type JobQueue, openJobQueue } from './job/job-queue.ts'
import { currentActivity } from './activity.ts'
import { type Mailer, openMailer } from './mailer.ts'
import { measureConnections, measureNormalizer, measureQueues } from './measure-platform.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { openRateLimiter, type RateLimiter } from './rate-limiter.ts'
import { type AccessTokens, openAccessTokens } from './session/access-token.ts'
import { type BackgroundRuns, createBackgroundRuns } from './submission/background-runs.ts'
import { type Endings, openEndings } from './submission/endings.ts'
import { loadSecretsKey, type SecretsKey } from './secrets-key.ts'
import { isTracing } from './tracing.ts'

/** All that a use case may reach; a use case takes the part of it that it needs. */
export interface Platform {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  /** `stopping`: the process was told to end, and should get no more requests. */
  readonly lifecycle: { stopping: boolean }
  readonly metrics: Metrics
  readonly orm: MikroORM
  readonly queue: JobQueue
  readonly mailer: Mailer
  readonly objects: ObjectStore
  readonly normalizer: NormalizerPool
  readonly signingKeys: SigningKeys
  readonly runs: BackgroundRuns
  /** null: this process runs the documents of those who wait. */
  readonly endings: Endings | null
  readonly secretsKey: SecretsKey
  readonly accessTokens: AccessTokens
  readonly apiKeyUse: ApiKeyUse
  readonly rateLimiter: RateLimiter
  /** null: this service takes no payments. */
  readonly payments: PaymentProcessor | null
}

/** How long documents in the background have to end when the service stops, in milliseconds. */
const drainMs = 10_000

/** No upload takes so long: a staged file of that age was left by a process that died. */
const uploadMaxAgeMs = 60 * 60 * 1000

/** What a test replaces. */
export interface PlatformChoices {
  clock?: Clock
  log?: Logger
  normalizer?: NormalizerPool
  payments?: PaymentProcessor
}

/**
 * Chooses the implementations: the one place where it is decided what stands behind each name.
 *
 * @param connection the migrated database (database/migrate-database.ts)
 */
export async function openPlatform(
  config: Config,
  connection: DatabaseConnection,
  choices: PlatformChoices = {},
): Promise<Platform & AsyncDisposable> {
  const log = choices.log ?? openLog(config)
  const clock = choices.clock ?? systemClock
  const metrics = openMetrics()
  const secretsKey = await loadSecretsKey(config)
  const orm = await openOrm(connection, { maxConnections: config.databasePoolSize })
  await measureConnections(metrics, orm)
  const queue = await openJobQueue(connection, log, {
    maxConnections: config.queuePoolSize,
    supervise: config.processRole !== 'api',
  })
  measureQueues(metrics, queue, log)
  const mailer = openMailer(config, log)
  const objects = await openObjectStore(config, localDownloads(config, clock, secretsKey))
  await objects.sweep(new Date(clock.now().getTime() - uploadMaxAgeMs))
  const signingKeys = await openSigningKeys({ orm, clock, secretsKey, config })
  // A process of the role api leaves documents to the workers (docs/decisions/0018-processes.md).
  const hasWorkers = config.processRole !== 'api'
  const normalizer =
    choices.normalizer ?? (hasWorkers ? openNormalizer(config, metrics) : noNormalizer)
  const endings = hasWorkers ? null : openEndings(connection, log)
  const runs = createBackgroundRuns()
  const apiKeyUse = openApiKeyUse(orm, clock, log)

  return {
    config,
    clock,
    log,
    lifecycle: { stopping: false },
    metrics,
    orm,
    queue,
    mailer,
    objects: isTracing() ? traceObjectStore(objects) : objects,
    normalizer,
    signingKeys,
    runs,
    endings,
    secretsKey,
    accessTokens: openAccessTokens(config, clock, secretsKey),
    apiKeyUse,
    rateLimiter: await openRateLimiter(config, orm),
    payments: choices.payments ?? openPaymentProcessor(config, clock, secretsKey),
    async [Symbol.asyncDispose]() {
      await runs.settle(drainMs)
      // What still runs fails now and gives its submission up, for which it needs the database.
      await normalizer.close()
      await runs.settle(drainMs)
      await apiKeyUse.settled()
      await endings?.close()
      await queue.close()
      await orm.close()
    },
  }
}

function openNormalizer(config: Config, metrics: Metrics): NormalizerPool {
  const { workerConcurrency: workers, trustAnchors, pdfaSettings } = config
  const pool = createNormalizerPool({ workers, trustAnchors, pdfaSettings })
  return measureNormalizer(metrics, pool, workers)
}

const noNormalizer: NormalizerPool = {
  normalize: async () => {
    throw new Error('This process has no workers.')
  },
  stageOf: () => null,
  close: async () => {},
}

/** Structured logs, one JSON object a line, without secrets; each tells the request that led to it. */
export function openLog(config: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: config.logLevel,
    mixin() {
      const { requestId, facts } = currentActivity()
      return { ...(requestId !== undefined && { requestId }), ...facts }
    },
    redact: {
      paths: [
        'req.headers.authorization',
        'req.headers.cookie',
        'req.headers["x-api-key"]',
        'res.headers["set-cookie"]',
      ],
      censor: '[secret]',
    },
  })
}
