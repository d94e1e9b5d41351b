import { fileURLToPath } from 'node:url'
import { CaptchaProvider } from '@pdfnorm/contracts/schema/captcha'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { defaultVerapdf, pdfaValidatorKinds } from '@pdfnorm/normalizer/pdfa-settings'
import { z } from 'zod'
import { readS3Location } from './artifact/s3-location.ts'
import { readSigningPem } from './attestation/signing-key.ts'
import {
  AtLeastOne,
  ByteSize,
  CommaList,
  Delay,
  Duration,
  DurationList,
  Origin,
  SecretKey,
  settingText,
  Url,
  WholeNumber,
  YesNo,
} from './setting-value.ts'

/**
 * What the documentation says of a setting beside its default, as CommonMark.
 *
 * @param otherwise what holds where it is not set and has no default
 */
const says = (description: string, otherwise = 'none') => ({ description, otherwise })

const second = 1000
const minute = 60 * second
const hour = 60 * minute

const processSettings = {
  NODE_ENV: z
    .enum(['development', 'production'], 'must be development or production')
    .default('development')
    .meta(
      says(
        '`production` refuses to start without `DATABASE_URL`, `SMTP_URL`, `SECRETS_KEY` and an `https:` `BASE_URL`',
      ),
    ),
  PROCESS_ROLE: z
    .enum(['api', 'worker', 'all'], 'must be api, worker or all')
    .default('all')
    .meta(says('`api` answers, `worker` works off the queues, `all` does both')),
  PORT: WholeNumber.refine((port) => port <= 65_535, 'must be at most 65535')
    .optional()
    .meta(
      says(
        'where it listens. A worker without it listens on nothing; with it, it answers `/healthz`, `/readyz` and `/metrics`',
        '`3000`',
      ),
    ),
  BASE_URL: Url('http:', 'https:')
    .optional()
    .meta(says('where clients find the service; used in every link', '`http://localhost:PORT`')),
  DATA_DIR: z
    .string()
    .default('.data')
    .meta(
      says(
        'embedded PostgreSQL, local objects, mail of development, the secrets key of development',
      ),
    ),
  WORKER_CONCURRENCY: AtLeastOne.optional().meta(
    says(
      'documents that one process normalizes at once; each has a process of its own',
      'one for each processor',
    ),
  ),
  SHUTDOWN_DELAY: Delay.default(0).meta(
    says('how long requests are still taken after SIGTERM, while `/readyz` says `stopping`'),
  ),
  TRUST_PROXY: WholeNumber.default(0).meta(
    says('proxies in front whose `X-Forwarded-For` is believed'),
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .meta(says('`fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`')),
  OTEL_EXPORTER_OTLP_ENDPOINT: Url('http:', 'https:')
    .optional()
    .meta(says('where traces are sent ([logs and traces](logs-and-traces.md))')),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, 'must be a ratio from 0 to 1')
    .transform(Number)
    .default(1)
    .meta(says('share of the traces that begin here which are recorded')),
}

const storageSettings = {
  DATABASE_URL: Url('postgres:', 'postgresql:')
    .optional()
    .meta(says('PostgreSQL 15 or newer, or a pooler in front of it', 'embedded')),
  DATABASE_DIRECT_URL: Url('postgres:', 'postgresql:')
    .optional()
    .meta(
      says(
        'the database itself, as the owner of the tables: for migrations and notifications',
        '`DATABASE_URL`',
      ),
    ),
  MIGRATE_AT_START: YesNo.default(true).meta(
    says('`false`: the start waits until `npm run migrate` has run'),
  ),
  DATABASE_POOL_SIZE: AtLeastOne.default(20).meta(says('connections of this process at most')),
  QUEUE_POOL_SIZE: AtLeastOne.default(4).meta(says('connections that the queue has beside them')),
  STORAGE_URL: Url('file:', 's3:')
    .optional()
    .meta(
      says(
        '`file:///srv/objects`, a directory, or `s3://bucket-{region}/prefix` ([scaling](scaling.md))',
        '`file:` in `DATA_DIR`',
      ),
    ),
}

const otherServiceSettings = {
  SECRETS_KEY: SecretKey.optional().meta(
    says(
      '32 bytes as base64 or hexadecimal, from which what is stored encrypted is sealed',
      'made in `DATA_DIR`, in development',
    ),
  ),
  SIGNING_KEY: z
    .string()
    .optional()
    .meta(says('PEM of the key that signs attestations and certificates', 'made and stored')),
  SMTP_URL: Url('smtp:', 'smtps:')
    .optional()
    .meta(says('where mail is handed over', 'files under `DATA_DIR/mail`, in development')),
  MAIL_FROM: z
    .string()
    .optional()
    .meta(says('sender of mail', '`pdfnorm <no-reply@…>` at the host of `BASE_URL`')),
  STRIPE_SECRET_KEY: z.string().optional().meta(says('takes payments through Stripe')),
  STRIPE_WEBHOOK_SECRET: z.string().optional().meta(says('required with it')),
  CAPTCHA_VERIFY_URL: Url('http:', 'https:')
    .optional()
    .meta(says("where a registration's captcha is checked")),
  CAPTCHA_SECRET: z.string().optional().meta(says('required with it')),
  CAPTCHA_PROVIDER: z
    .enum(CaptchaProvider.options, `must be ${CaptchaProvider.options.join(', ')}`)
    .optional()
    .meta(
      says(
        'whose captcha the portal shows to who registers: `turnstile`, `hcaptcha`, `grecaptcha`; without it programs alone can register',
      ),
    ),
  CAPTCHA_SITE_KEY: z.string().optional().meta(says('required with it')),
  TRUST_ANCHORS: CommaList.default([]).meta(
    says('PEM bundles of the authorities by which signers are judged'),
  ),
  TIMESTAMP_ANCHORS: CommaList.default([]).meta(says('those of time stamps', '`TRUST_ANCHORS`')),
  PDFA_VALIDATOR: z
    .enum(pdfaValidatorKinds, `must be ${pdfaValidatorKinds.join(' or ')}`)
    .default('internal')
    .meta(
      says(
        'who validates PDF/A: `internal`, or veraPDF as a program (`verapdf-cli`) or as a service (`verapdf-rest`). Where veraPDF does not answer, the internal validator stands in',
      ),
    ),
  VERAPDF_EXECUTABLE: z
    .string()
    .default(defaultVerapdf.executable)
    .meta(says('the program, for `verapdf-cli`')),
  VERAPDF_URL: Url('http:', 'https:')
    .optional()
    .meta(says('where the service is, for `verapdf-rest`')),
  VERAPDF_TIMEOUT: Duration.default(defaultVerapdf.timeoutMs).meta(
    says('how long veraPDF may take for one file; a document is validated twice'),
  ),
  KEEP_ASSOCIATED_FILES_OF_PDFA3: YesNo.default(false).meta(
    says(
      '`true`: the harmless files that a PDF/A-3 or PDF/A-4f document associates with itself stay, such as the XML of an invoice ([PDF/A](pdfa.md))',
    ),
  ),
  CONTAINER_IMAGE_DIGEST: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hexadecimal digits')
    .optional()
    .meta(says('`sha256:…` of the image, for attestations')),
  CORS_ORIGINS: CommaList.pipe(z.array(Origin))
    .default([])
    .meta(says('origins whose pages may call from a browser')),
  WEBHOOK_ALLOW_PRIVATE: YesNo.default(false).meta(
    says('`true`, in development only: webhooks may go to private addresses'),
  ),
}

const limitSettings = {
  ACCESS_TOKEN_TTL: Duration.default(limits.accessTokenSeconds * second).meta(
    says('life of an access token'),
  ),
  REFRESH_TOKEN_TTL: Duration.default(limits.refreshTokenSeconds * second).meta(
    says('life of a refresh token'),
  ),
  VERIFY_EMAIL_TTL: Duration.default(limits.emailVerificationSeconds * second).meta(
    says('life of the link in a verification mail'),
  ),
  PASSWORD_RESET_TTL: Duration.default(limits.passwordResetSeconds * second).meta(
    says('life of the link in a reset mail'),
  ),
  IDEMPOTENCY_TTL: Duration.default(limits.idempotencySeconds * second).meta(
    says('how long an idempotency key is remembered'),
  ),
  INVITE_TTL: Duration.default(limits.inviteSeconds * second).meta(says('life of an invitation')),
  DELETION_COOLING_OFF: Duration.default(limits.deletionCoolingOffSeconds * second).meta(
    says('how long a deletion can be cancelled'),
  ),
  SYNC_MAX_BYTES: ByteSize.default(limits.syncMaxBytes).meta(
    says('largest file that is answered with its result'),
  ),
  SYNC_DEADLINE: Duration.default(limits.syncDeadlineSeconds * second).meta(
    says('after which the answer is 202'),
  ),
  UPLOAD_MAX_BYTES: ByteSize.default(limits.uploadMaxBytes).meta(
    says('where an upload is cut off'),
  ),
  WEBHOOK_RETRY_SCHEDULE: DurationList.default([
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
  ]).meta(says('pauses between the attempts of a delivery')),
  RATE_LIMITS: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .meta(says('`off`, in development only')),
}

/** Every variable that the service reads, as docs/operating/settings.md groups them. */
const settingGroups = {
  'The process': processSettings,
  'Database and storage': storageSettings,
  'Secrets and other services': otherServiceSettings,
  Limits: limitSettings,
}

/** The environment; a value that is not set is absent, never empty. */
export const Environment = z
  .object({
    ...processSettings,
    ...storageSettings,
    ...otherServiceSettings,
    ...limitSettings,
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
    if (environment.CAPTCHA_PROVIDER !== undefined && !environment.CAPTCHA_SITE_KEY) {
      fault('CAPTCHA_SITE_KEY', 'is required with CAPTCHA_PROVIDER')
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
    if (environment.PDFA_VALIDATOR === 'verapdf-rest' && environment.VERAPDF_URL === undefined) {
      fault('VERAPDF_URL', 'is required with PDFA_VALIDATOR=verapdf-rest')
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

/** A setting as the documentation shows it; the texts are CommonMark. */
export interface DocumentedSetting {
  readonly name: string
  readonly standard: string
  readonly description: string
}

/** Every setting, in groups. */
export function documentedSettings(): { group: string; settings: DocumentedSetting[] }[] {
  return Object.entries(settingGroups).map(([group, settings]) => ({
    group,
    settings: Object.entries(settings).map(([name, schema]) => documented(name, schema)),
  }))
}

function documented(name: string, schema: z.ZodType): DocumentedSetting {
  const { description = '', otherwise = 'none' } = schema.meta() ?? {}
  const isEmpty = !(schema instanceof z.ZodDefault) || isEmptyList(schema.def.defaultValue)
  const standard = isEmpty
    ? String(otherwise)
    : `\`${settingText(schema.def.innerType, schema.def.defaultValue)}\``
  return { name, standard, description }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** What the environment holds, checked and read. */
export type Environment = z.infer<typeof Environment>
