import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { CaptchaOfPage } from '@pdfnorm/contracts/schema/captcha'
import { readPdfaSettings } from '@pdfnorm/normalizer/pdfa-settings'
import {
  readTrustAnchors,
  TrustAnchorError,
  type TrustAnchors,
} from '@pdfnorm/normalizer/trust-anchors'
import { Environment } from './environment.ts'

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
  return settingsOf(parsed.data, environment, workingDirectory, trustAnchors)
}

function captchaOfPage({
  CAPTCHA_PROVIDER: provider,
  CAPTCHA_SITE_KEY: siteKey,
}: Environment): CaptchaOfPage | null {
  return provider === undefined || siteKey === undefined ? null : { provider, siteKey }
}

function trustAnchorsOf(
  { TRUST_ANCHORS, TIMESTAMP_ANCHORS }: Environment,
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

const defaultPort = 3000

/** Checked settings. Durations end in `Ms`, sizes in `Bytes`; paths are absolute. */
export type Config = ReturnType<typeof settingsOf>

function settingsOf(
  environment: Environment,
  processEnvironment: Record<string, string | undefined>,
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
    workerConcurrency: environment.WORKER_CONCURRENCY ?? availableParallelism(),

    smtpUrl: environment.SMTP_URL,
    mailFrom: environment.MAIL_FROM ?? `pdfnorm <no-reply@${new URL(baseUrl).hostname}>`,
    stripeSecretKey: environment.STRIPE_SECRET_KEY,
    stripeWebhookSecret: environment.STRIPE_WEBHOOK_SECRET,
    /** 32 bytes. Absent in development: generated once into the data directory. */
    secretsKey: environment.SECRETS_KEY,
    signingKeyPem: environment.SIGNING_KEY,
    /** Authorities by which signer certificates are judged; null: they are not. */
    trustAnchors,
    pdfaSettings: readPdfaSettings(
      {
        validator: environment.PDFA_VALIDATOR,
        executable: environment.VERAPDF_EXECUTABLE,
        url: environment.VERAPDF_URL,
        timeoutMs: environment.VERAPDF_TIMEOUT,
        keepAssociatedFiles: environment.KEEP_ASSOCIATED_FILES_OF_PDFA3,
      },
      processEnvironment,
    ),
    /** Names the image that the service runs from, for attestations. */
    containerImageDigest: environment.CONTAINER_IMAGE_DIGEST,
    captchaVerifyUrl: environment.CAPTCHA_VERIFY_URL,
    captchaSecret: environment.CAPTCHA_SECRET,
    /** What the portal shows; null: no captcha. */
    captchaOfPage: captchaOfPage(environment),
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
