import { generateKeyPairSync } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ConfigurationError, readConfig } from './config.ts'

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://localhost/pdfnorm',
  SMTP_URL: 'smtps://mail.example.com',
  SECRETS_KEY: '0'.repeat(64),
  BASE_URL: 'https://pdf.example.com',
}

test('without a setting the service runs in development on port 3000 with data beside the caller', () => {
  expect(readConfig({ INIT_CWD: '/somewhere' })).toMatchObject({
    environment: 'development',
    port: 3000,
    baseUrl: 'http://localhost:3000',
    dataDirectory: '/somewhere/.data',
    mailFrom: 'pdfnorm <no-reply@localhost>',
    databaseUrl: undefined,
    processRole: 'all',
    trustProxyHops: 0,
    accessTokenTtlMs: 15 * 60_000,
    refreshTokenTtlMs: 30 * 86_400_000,
    idempotencyTtlMs: 86_400_000,
    syncMaxBytes: 2 * 1024 * 1024,
    syncDeadlineMs: 10_000,
    uploadMaxBytes: 128 * 1024 * 1024,
    webhookRetryScheduleMs: [5000, 300_000, 1_800_000, 7_200_000, 18_000_000],
    rateLimits: true,
  })
})

test('durations, sizes and lists are read with their units', () => {
  const config = readConfig({
    SYNC_DEADLINE: '250ms',
    INVITE_TTL: '72h',
    SYNC_MAX_BYTES: '512KiB',
    UPLOAD_MAX_BYTES: '1000000',
    WEBHOOK_RETRY_SCHEDULE: '1s, 2m',
    CORS_ORIGINS: 'https://a.example.com,http://localhost:5173',
    BASE_URL: 'https://pdf.example.com/',
    PORT: '',
  })
  expect(config).toMatchObject({
    syncDeadlineMs: 250,
    inviteTtlMs: 259_200_000,
    syncMaxBytes: 524_288,
    uploadMaxBytes: 1_000_000,
    webhookRetryScheduleMs: [1000, 120_000],
    corsOrigins: ['https://a.example.com', 'http://localhost:5173'],
    baseUrl: 'https://pdf.example.com',
    mailFrom: 'pdfnorm <no-reply@pdf.example.com>',
    port: 3000,
  })
})

test('a secret key is 32 bytes in hexadecimal or base64', () => {
  const bytes = Buffer.alloc(32, 7)
  for (const text of [bytes.toString('hex'), bytes.toString('base64')]) {
    expect(readConfig({ SECRETS_KEY: text }).secretsKey).toEqual(bytes)
  }
})

const ed25519Pem = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'pem', type: 'pkcs8' })
  .toString()

describe('a setting that the service cannot run with stops the start and is named:', () => {
  const cases: [string, Record<string, string>][] = [
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: 'http' }],
    ['BASE_URL', { BASE_URL: 'pdf.example.com' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://localhost/x' }],
    ['STORAGE_URL', { STORAGE_URL: 's3://one-bucket' }],
    ['STORAGE_URL', { STORAGE_URL: 'file:objects' }],
    ['STORAGE_URL', { STORAGE_URL: 'file://another.example.com/objects' }],
    ['PROCESS_ROLE', { PROCESS_ROLE: 'both' }],
    ['NODE_ENV', { NODE_ENV: 'staging' }],
    ['ACCESS_TOKEN_TTL', { ACCESS_TOKEN_TTL: '15' }],
    ['ACCESS_TOKEN_TTL', { ACCESS_TOKEN_TTL: '0m' }],
    ['DELETION_COOLING_OFF', { DELETION_COOLING_OFF: '999999999d' }],
    ['WEBHOOK_RETRY_SCHEDULE', { WEBHOOK_RETRY_SCHEDULE: '5s,soon' }],
    ['WEBHOOK_RETRY_SCHEDULE', { WEBHOOK_RETRY_SCHEDULE: ',' }],
    ['SYNC_MAX_BYTES', { SYNC_MAX_BYTES: '2MB' }],
    ['SECRETS_KEY', { SECRETS_KEY: 'short' }],
    ['SIGNING_KEY', { SIGNING_KEY: 'key.pem' }],
    ['SIGNING_KEY', { SIGNING_KEY: '-----BEGIN PRIVATE KEY-----' }],
    ['SIGNING_KEY', { SIGNING_KEY: ed25519Pem }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://a.example.com/path' }],
    ['RATE_LIMITS', { RATE_LIMITS: 'maybe' }],
    ['TRUST_ANCHORS', { TRUST_ANCHORS: '/nowhere/anchors.pem' }],
    ['TRUST_ANCHORS', { TRUST_ANCHORS: fileURLToPath(import.meta.url) }],
    ['TRUST_ANCHORS', { TIMESTAMP_ANCHORS: 'anchors.pem' }],
    ['PDFA_VALIDATOR', { PDFA_VALIDATOR: 'verapdf' }],
    ['VERAPDF_URL', { PDFA_VALIDATOR: 'verapdf-rest' }],
    ['VERAPDF_URL', { VERAPDF_URL: 'file:///verapdf' }],
    ['VERAPDF_TIMEOUT', { VERAPDF_TIMEOUT: '20' }],
    ['KEEP_ASSOCIATED_FILES_OF_PDFA3', { KEEP_ASSOCIATED_FILES_OF_PDFA3: 'yes' }],
    ['CAPTCHA_SECRET', { CAPTCHA_VERIFY_URL: 'https://captcha.example.com' }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_SECRET_KEY: 'sk_x' }],
    ['DATABASE_URL', { ...production, DATABASE_URL: '' }],
    ['SMTP_URL', { ...production, SMTP_URL: '' }],
    ['SECRETS_KEY', { ...production, SECRETS_KEY: '' }],
    ['BASE_URL', { ...production, BASE_URL: 'http://pdf.example.com' }],
    ['RATE_LIMITS', { ...production, RATE_LIMITS: 'off' }],
    ['WEBHOOK_ALLOW_PRIVATE', { ...production, WEBHOOK_ALLOW_PRIVATE: 'true' }],
  ]
  test.each(cases)('%s %j', (variable, environment) => {
    expect(faultsOf(environment)).toEqual([variable])
  })
})

test('all faults are named at once', () => {
  expect(faultsOf({ PORT: 'x', SECRETS_KEY: 'x', RATE_LIMITS: 'x' })).toEqual([
    'PORT',
    'SECRETS_KEY',
    'RATE_LIMITS',
  ])
  expect(readConfig(production).environment).toBe('production')
})

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.faults.map((fault) => fault.variable)
  }
}
