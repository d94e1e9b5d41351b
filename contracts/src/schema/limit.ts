/**
 * The fixed figures of the interface (sections 5 and 8), each once, with its unit in the name. Those that an
 * operator may change are the defaults of the configuration.
 */
export const limits = {
  passwordMinCharacters: 8,
  passwordMaxCharacters: 1024,
  /** RFC 5321, 4.5.3.1.3: a path of 256 octets with its two angle brackets. */
  emailMaxCharacters: 254,
  /** RFC 5321, 4.5.3.1.1. */
  emailLocalPartMaxCharacters: 64,
  /** WHATWG sets no limit for a URL; RFC 9110, 4.1 recommends support for 8,000 octets. */
  urlMaxCharacters: 2048,
  nameMaxCharacters: 200,
  captchaTokenMaxCharacters: 4096,
  requestIdMaxCharacters: 128,

  accessTokenSeconds: 15 * 60,
  refreshTokenSeconds: 30 * 24 * 60 * 60,
  emailVerificationSeconds: 24 * 60 * 60,
  passwordResetSeconds: 60 * 60,
  inviteSeconds: 48 * 60 * 60,
  /** How long it can be told that a link or a session has expired. */
  expiredKeptDays: 7,
  deletionCoolingOffSeconds: 72 * 60 * 60,

  idempotencyKeyMaxCharacters: 255,
  idempotencySeconds: 24 * 60 * 60,

  pageSizeDefault: 20,
  pageSizeMax: 100,
  recentSubmissions: 10,

  invitationsPerOrganization: 50,
  apiKeysPerOrganization: 50,
  /** Revoked and expired keys that are listed; older ones are forgotten. */
  endedApiKeysKept: 200,
  apiKeyOverlapHoursDefault: 24,
  apiKeyOverlapHoursMax: 7 * 24,
  webhooksPerOrganization: 10,
  webhookRetries: 5,
  webhookTimeoutSeconds: 15,
  webhookSecretOverlapHours: 24,
  /** So long nothing is delivered to a webhook before it is deactivated, and an event is due before it is given up. */
  webhookFailingDays: 5,
  /** Events that have ended, delivered or dead, are kept so long. */
  deadLetterDays: 30,
  deadLettersPerPage: 1000,
  exportDownloadSeconds: 15 * 60,
  exportRetentionDays: 7,

  syncMaxBytes: 2 * 1024 * 1024,
  syncDeadlineSeconds: 10,
  uploadMaxBytes: 128 * 1024 * 1024,
} as const
