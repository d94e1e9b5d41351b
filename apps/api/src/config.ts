import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limits } from '@pdfnorm/contracts/schema/limit'
import {
  readTrustAnchors,
  TrustAnchorError,
  type TrustAnchors,
} from '@pdfnorm/normalizer/trust-anchors'
import { z } from 'zod'
import { readS3Location } from './artifact/s3-location.ts'
import { readSigningPem } from './attestation/signing-key.ts'

/** One setting that stops the start, and why. */
interface SettingFault {
  variable: string
  message: string
}

/** The environment holds a setting that the service cannot run with; the message names each one. */
export class ConfigurationError extends Error {
  readonly faults: readonly SettingFault[]

  constructor(faults: readonly SettingFault[]) {
    super(
      [
        'The configuration is not valid:',
        ...faults.map((f) => `  ${f.variable}: ${f.message}`),
      ].join('\n'),
    )
    this.name = 'ConfigurationError'
    this.faults = faults
  }
}

/**
 * Reads the settings of the service from its environment.
 *
 * @throws ConfigurationError with every fault, not only the first
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(set)
  if (!parsed.success) {
    throw new ConfigurationError(
      parsed.error.issues.map((issue) => ({
        variable: String(issue.path[0] ?? ''),
        message: issue.message,
      })),
    )
  }

  // npm runs a workspace's script inside the workspace; INIT_CWD is where the person typed it.
  const workingDirectory = environment['INIT_CWD'] ?? process.cwd()
  const trustAnchors = trustAnchorsOf(parsed.data, workingDirectory)
  return settingsOf(parsed.data, workingDirectory, trustAnchors)
}

function trustAnchorsOf(
  { TRUST_ANCHORS, TIMESTAMP_ANCHORS }: z.infer<typeof Environment>,
  workingDirectory: string,
): TrustAnchors | null {
  const absolute = (paths: string[]): string[] =>
    paths.map((path) => resolve(workingDirectory, path))
  try {
    return readTrustAnchors(absolute(TRUST_ANCHORS), absolute(TIMESTAMP_ANCHORS))
  } catch (error) {
    if (!(error instanceof TrustAnchorError)) throw error
    throw new ConfigurationError([{ variable: 'TRUST_ANCHORS', message: error.message }])
  }
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const mebibyte = 1024 * 1024

const millisecondsPerUnit = { ms: 1, s: second, m: minute, h: hour, d: day } as const
const bytesPerUnit = { '': 1, KiB: 1024, MiB: mebibyte, GiB: 1024 * mebibyte } as const

/** A duration such as `15m`, `72h`, `30d`, `2s` or `250ms`, in milliseconds. */
const Duration = z
  .string()
  .regex(/^\d{1,9}(ms|s|m|h|d)$/, 'must be a duration such as 2s, 15m, 72h or 30d')
  .transform((text) => {
    const unit = text.replace(/^\d+/, '') as keyof typeof millisecondsPerUnit
    return Number.parseInt(text, 10) * millisecondsPerUnit[unit]
  })
  .refine((milliseconds) => milliseconds > 0, 'must be longer than nothing')
  // So that a date to which it is added can be written.
  .refine((milliseconds) => milliseconds <= 3650 * day, 'must be at most 3650d')

/** A size such as `2097152`, `512KiB` or `2MiB`, in bytes. */
const ByteSize = z
  .string()
  .regex(/^\d{1,12}(KiB|MiB|GiB)?$/, 'must be a size such as 2097152 or 2MiB')
  .transform((text) => {
    const unit = text.replace(/^\d+/, '') as keyof typeof bytesPerUnit
    return Number.parseInt(text, 10) * bytesPerUnit[unit]
  })

const YesNo = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true')

const WholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

const AtLeastOne = WholeNumber.refine((number) => number > 0, 'must be at least 1')

const CommaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const Url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be a URL with ${protocols.join(' or ')}`,
    )

const Origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be origins such as https://app.example.com, without a path',
  )

/** 32 bytes as base64 (any alphabet) or as 64 hexadecimal digits. */
const SecretKey = z
  .string()
  .transform((text) => Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64'))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes as base64 or as 64 hexadecimal digits')

/** Every variable the service reads, with its default (docs/operating/settings.md). */
const Environment = z
  .object({
    NODE_ENV: z
      .enum(['development', 'production'], 'must be development or production')
      .default('development'),
    PORT: WholeNumber.refine((port) => port <= 65_535, 'must be at most 65535').optional(),
    BASE_URL: Url('http:', 'https:').optional(),
    DATA_DIR: z.string().default('.data'),
    DATABASE_URL: Url('postgres:', 'postgresql:').optional(),
    DATABASE_DIRECT_URL: Url('postgres:', 'postgresql:').optional(),
    MIGRATE_AT_START: YesNo.default(true),
    DATABASE_POOL_SIZE: AtLeastOne.default(20),
    QUEUE_POOL_SIZE: AtLeastOne.default(4),
    /** `file:` URL of a directory, or `s3:` URL of a bucket per region (artifact/s3-location.ts). */
    STORAGE_URL: Url('file:', 's3:').optional(),
    PROCESS_ROLE: z.enum(['api', 'worker', 'all'], 'must be api, worker or all').default('all'),
    SHUTDOWN_DELAY: z
      .literal('0s')
      .transform(() => 0)
      .or(Duration)
      .default(0),
    OTEL_EXPORTER_OTLP_ENDPOINT: Url('http:', 'https:').optional(),
    OTEL_TRACES_SAMPLER_ARG: z
      .string()
      .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, 'must be a ratio from 0 to 1')
      .transform(Number)
      .default(1),
    TRUST_PROXY: WholeNumber.default(0),
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info'),
    WORKER_CONCURRENCY: AtLeastOne.default(availableParallelism()),

    SMTP_URL: Url('smtp:', 'smtps:').optional(),
    MAIL_FROM: z.string().optional(),
    STRIPE_SECRET_KEY: z.string().optional(),
    STRIPE_WEBHOOK_SECRET: z.string().optional(),
    SECRETS_KEY: SecretKey.optional(),
    SIGNING_KEY: z.string().optional(),
    TRUST_ANCHORS: CommaList.default([]),
    TIMESTAMP_ANCHORS: CommaList.default([]),
    CONTAINER_IMAGE_DIGEST: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hexadecimal digits')
      .optional(),
    CAPTCHA_VERIFY_URL: Url('http:', 'https:').optional(),
    CAPTCHA_SECRET: z.string().optional(),
    CORS_ORIGINS: CommaList.pipe(z.array(Origin)).default([]),
    WEBHOOK_ALLOW_PRIVATE: YesNo.default(false),

    ACCESS_TOKEN_TTL: Duration.default(limits.accessTokenSeconds * second),
    REFRESH_TOKEN_TTL: Duration.default(limits.refreshTokenSeconds * second),
    VERIFY_EMAIL_TTL: Duration.default(limits.emailVerificationSeconds * second),
    PASSWORD_RESET_TTL: Duration.default(limits.passwordResetSeconds * second),
    IDEMPOTENCY_TTL: Duration.default(limits.idempotencySeconds * second),
    INVITE_TTL: Duration.default(limits.inviteSeconds * second),
    DELETION_COOLING_OFF: Duration.default(limits.deletionCoolingOffSeconds * second),
    SYNC_MAX_BYTES: ByteSize.default(limits.syncMaxBytes),
    SYNC_DEADLINE: Duration.default(limits.syncDeadlineSeconds * second),
    UPLOAD_MAX_BYTES: ByteSize.default(limits.uploadMaxBytes),
    WEBHOOK_RETRY_SCHEDULE: CommaList.pipe(
      z.array(Duration).min(1, 'must have one duration at least'),
    ).default([5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour]),
    RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  })
  .superRefine((environment, context) => {
    const fault = (variable: string, message: string) =>
      context.addIssue({ code: 'custom', path: [variable], message })

    const check = <Value>(
      variable: string,
      value: Value | undefined,
      read: (value: Value) => void,
    ) => {
      if (value === undefined) return
      try {
        read(value)
      } catch (error) {
        fault(variable, error instanceof Error ? error.message : 'cannot be read')
      }
    }
    check('STORAGE_URL', environment.STORAGE_URL, readStorageUrl)
    check('SIGNING_KEY', environment.SIGNING_KEY, readSigningPem)
    if (environment.CAPTCHA_VERIFY_URL !== undefined && environment.CAPTCHA_SECRET === undefined) {
      fault('CAPTCHA_SECRET', 'is required with CAPTCHA_VERIFY_URL')
    }
    if (environment.STRIPE_SECRET_KEY !== undefined && !environment.STRIPE_WEBHOOK_SECRET) {
      fault('STRIPE_WEBHOOK_SECRET', 'is required with STRIPE_SECRET_KEY')
    }
    if (environment.DATABASE_DIRECT_URL !== undefined && environment.DATABASE_URL === undefined) {
      fault('DATABASE_URL', 'is required with DATABASE_DIRECT_URL')
    }
    if (environment.TIMESTAMP_ANCHORS.length > 0 && environment.TRUST_ANCHORS.length === 0) {
      fault('TRUST_ANCHORS', 'is required with TIMESTAMP_ANCHORS')
    }
    if (environment.NODE_ENV !== 'production') return

    for (const variable of ['DATABASE_URL', 'SMTP_URL', 'SECRETS_KEY'] as const) {
      if (environment[variable] === undefined) fault(variable, 'is required in production')
    }
    if (!environment.BASE_URL?.startsWith('https:')) {
      fault('BASE_URL', 'must be an https URL in production')
    }
    if (environment.RATE_LIMITS === 'off') {
      fault('RATE_LIMITS', 'may be off in development only')
    }
    if (environment.WEBHOOK_ALLOW_PRIVATE) {
      fault('WEBHOOK_ALLOW_PRIVATE', 'may be true in development only')
    }
  })

/** @throws an error whose message says what the URL must be */
function readStorageUrl(url: string): void {
  if (url.startsWith('s3:')) {
    readS3Location(url)
    return
  }
  // `file:objects` is `/objects` to the URL standard, and to whoever wrote it a directory of their own.
  if (!url.startsWith('file:/')) throw new Error('must name a whole path: file:///srv/objects')
  fileURLToPath(url)
}

export const settingNames: readonly string[] = Object.keys(Environment.shape)

const defaultPort = 3000

/** Checked settings. Durations end in `Ms`, sizes in `Bytes`; paths are absolute. */
export type Config = ReturnType<typeof settingsOf>

function settingsOf(
  environment: z.infer<typeof Environment>,
  workingDirectory: string,
  trustAnchors: TrustAnchors | null,
) {
  const isWorker = environment.PROCESS_ROLE === 'worker'
  // A worker's port is not where the service is.
  const port = isWorker ? defaultPort : (environment.PORT ?? defaultPort)
  const baseUrl = (environment.BASE_URL ?? `http://localhost:${port}`).replace(/\/+$/, '')
  return {
    environment: environment.NODE_ENV,
    /** null: a worker that listens on nothing. */
    port: environment.PORT ?? (isWorker ? null : defaultPort),
    /** Without a trailing slash. */
    baseUrl,
    dataDirectory: resolve(workingDirectory, environment.DATA_DIR),
    /** Absent: an embedded PostgreSQL in the data directory. */
    databaseUrl: environment.DATABASE_URL,
    /** The database itself, where DATABASE_URL is a pooler or its user is not the owner of the tables. */
    databaseDirectUrl: environment.DATABASE_DIRECT_URL,
    /** Else the start waits until another process has migrated the database. */
    migrateAtStart: environment.MIGRATE_AT_START,
    /** Connections of this process at most; the queue has its own, and one waits for notifications. */
    databasePoolSize: environment.DATABASE_POOL_SIZE,
    queuePoolSize: environment.QUEUE_POOL_SIZE,
    /** Absent: local files in the data directory. */
    storageUrl: environment.STORAGE_URL,
    processRole: environment.PROCESS_ROLE,
    /** How long requests are still taken after the process was told to end. */
    shutdownDelayMs: environment.SHUTDOWN_DELAY,
    /** Where traces are sent by OTLP over HTTP; absent: nowhere. */
    otlpEndpoint: environment.OTEL_EXPORTER_OTLP_ENDPOINT,
    traceSampleRatio: environment.OTEL_TRACES_SAMPLER_ARG,
    trustProxyHops: environment.TRUST_PROXY,
    logLevel: environment.LOG_LEVEL,
    workerConcurrency: environment.WORKER_CONCURRENCY,

    smtpUrl: environment.SMTP_URL,
    mailFrom: environment.MAIL_FROM ?? `pdfnorm <no-reply@${new URL(baseUrl).hostname}>`,
    stripeSecretKey: environment.STRIPE_SECRET_KEY,
    stripeWebhookSecret: environment.STRIPE_WEBHOOK_SECRET,
    /** 32 bytes. Absent in development: generated once into the data directory. */
    secretsKey: environment.SECRETS_KEY,
    signingKeyPem: environment.SIGNING_KEY,
    /** Authorities by which signer certificates are judged; null: they are not. */
    trustAnchors,
    /** Names the image that the service runs from, for attestations. */
    containerImageDigest: environment.CONTAINER_IMAGE_DIGEST,
    captchaVerifyUrl: environment.CAPTCHA_VERIFY_URL,
    captchaSecret: environment.CAPTCHA_SECRET,
    corsOrigins: environment.CORS_ORIGINS,
    webhookAllowPrivate: environment.WEBHOOK_ALLOW_PRIVATE,

    accessTokenTtlMs: environment.ACCESS_TOKEN_TTL,
    refreshTokenTtlMs: environment.REFRESH_TOKEN_TTL,
    verifyEmailTtlMs: environment.VERIFY_EMAIL_TTL,
    passwordResetTtlMs: environment.PASSWORD_RESET_TTL,
    idempotencyTtlMs: environment.IDEMPOTENCY_TTL,
    inviteTtlMs: environment.INVITE_TTL,
    deletionCoolingOffMs: environment.DELETION_COOLING_OFF,
    syncMaxBytes: environment.SYNC_MAX_BYTES,
    syncDeadlineMs: environment.SYNC_DEADLINE,
    uploadMaxBytes: environment.UPLOAD_MAX_BYTES,
    webhookRetryScheduleMs: environment.WEBHOOK_RETRY_SCHEDULE,
    rateLimits: environment.RATE_LIMITS === 'on',
  }
}
