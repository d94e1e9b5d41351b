import type { ProblemCode } from './problem.ts'

/** What the documentation page of a code says beside its title. */
interface Guidance {
  /** What leads to it. */
  readonly cause: string
  /** What whoever gets it does next. */
  readonly remedy: string
}

/**
 * A cause and a way out for every code, in CommonMark. A code without them does not compile. They stand apart from
 * the table of codes because programs that show refusals need the one and not the other.
 */
export const problemGuidance = {
  VALIDATION_ERROR: {
    cause:
      'A field, a parameter or a header is missing, has the wrong type or lies outside its limits, or the JSON cannot be read.',
    remedy:
      'Look at `errors`: each entry says where the fault is (`body.orgSlug`, `query.page_size`) and what is wrong with it. Every fault is listed, not only the first.',
  },
  INVALID_FILE: {
    cause:
      'The form has no part `file`, has two of them, or the file is empty or has no `%PDF-` in its first 1,024 bytes.',
    remedy:
      'Send exactly one PDF in the part `file` of a `multipart/form-data` body. A PDF that is damaged is taken: then the answer is 200 and its `status` says what became of it.',
  },
  INVALID_REGION: {
    cause: 'The field names a region that the service does not have.',
    remedy: 'Use `ca-central-1`, `us-east-2` or `eu-central-1`, or leave the field out.',
  },
  REGION_NOT_ALLOWED: {
    cause:
      'The region exists, but the organization does not allow its documents to be stored there.',
    remedy:
      'Use one of the `allowedRegions` of the organization, or have an admin allow the region in its settings.',
  },
  INVALID_SHA256: {
    cause: 'The hash in the path is not 64 hexadecimal digits.',
    remedy:
      'Send the digits alone, without `sha256:` before them. Upper and lower case are both taken.',
  },
  INVALID_BATCH: {
    cause: '`batch_id` names no batch of the organization to which the API key belongs.',
    remedy:
      'Create the batch first with the same organization, and send the `batchId` of its answer.',
  },
  INVALID_ROLE: {
    cause: 'The role is none that can be given in this way: nobody is invited as an owner.',
    remedy:
      'Invite as `admin` or `member`. Ownership is given to somebody who is a member already.',
  },
  INVALID_EMAIL: {
    cause: 'The text is not an e-mail address that a mail server would take.',
    remedy:
      'Correct the address: one `@`, at most 254 characters, at most 64 of them before the `@`.',
  },
  SLUG_TAKEN: {
    cause: 'Another organization has this slug, or it is reserved.',
    remedy: 'Choose another slug.',
  },
  EMAIL_TAKEN: {
    cause:
      'Somebody is registered with this address already. An address belongs to one organization.',
    remedy: 'Sign in with it, ask for a new password, or register with another address.',
  },
  WEAK_PASSWORD: {
    cause: 'The password has fewer than 8 characters or is among those that are guessed first.',
    remedy: 'Choose a longer one. Any characters are taken, up to 1,024 of them.',
  },
  TOKEN_INVALID: {
    cause: 'The token of a mailed link is unknown, was cut off, or was used before.',
    remedy: 'Copy the whole link. If it was used, ask for a new one.',
  },
  TOKEN_EXPIRED: {
    cause:
      'The mailed link is older than it may be: an hour for a password, a day for a verification, two for an invitation.',
    remedy: 'Ask for a new mail.',
  },
  EXPORT_NOT_READY: {
    cause: 'The export is still being put together.',
    remedy: 'Ask for its status until it is `completed`, then download it.',
  },
  COOLING_OFF_EXPIRED: {
    cause: 'The 72 hours in which a deletion can be cancelled are over.',
    remedy: 'Nothing brings the account back. Register anew if you want to go on.',
  },
  CANNOT_REMOVE_OWNER: {
    cause: 'An organization has exactly one owner, who cannot be removed.',
    remedy: 'Give the ownership to another member first.',
  },
  CANNOT_CHANGE_OWN_ROLE: {
    cause: 'The request would change the role of whoever sent it.',
    remedy:
      'Ask another admin or the owner. An owner steps down by giving the ownership to another member.',
  },
  WEBHOOK_LIMIT_REACHED: {
    cause: 'The organization has ten webhooks, as many as it may have.',
    remedy: 'Change or delete one of them; one webhook can listen to every event.',
  },
  WEBHOOK_URL_FORBIDDEN: {
    cause:
      'The address is not HTTPS, or it leads to a private, loopback or link-local network, where the service sends nothing.',
    remedy:
      'Use a public HTTPS address. On a machine of your own, `npx @pdfnorm/sdk listen` brings the events to you without one.',
  },
  API_KEY_LIMIT_REACHED: {
    cause: 'The organization has fifty active API keys, as many as it may have.',
    remedy: 'Revoke keys that are no longer used: `lastUsedAt` says which.',
  },
  INVITATION_LIMIT_REACHED: {
    cause: 'The organization has fifty invitations that were neither accepted nor have expired.',
    remedy: 'Withdraw one by removing the invited person from the team, or wait until one expires.',
  },
  CAPTCHA_FAILED: {
    cause: 'The captcha was missing, was not passed, or was used before.',
    remedy: 'Solve a new captcha and send its token as `captchaToken`.',
  },
  UNKNOWN_API_VERSION: {
    cause: 'The header `Api-Version` names a version that the service does not know.',
    remedy:
      'Send one that the reference names, such as `2026-11-01`, or leave the header out to get the version at which the API key was created.',
  },
  SUBSCRIPTION_EXISTS: {
    cause: 'The organization has a subscription, and a checkout would begin a second one.',
    remedy: 'Change or cancel the subscription on the page that the portal session leads to.',
  },
  MISSING_CREDENTIALS: {
    cause: 'The request carries neither an API key nor an access token where one is needed.',
    remedy:
      'Send the key as `X-Api-Key: pdfnorm_…`, or the access token as `Authorization: Bearer …`. The header `WWW-Authenticate` of the answer says which of them.',
  },
  INVALID_API_KEY: {
    cause:
      'The API key is unknown, was revoked, has expired, or was mistyped; `detail` says which.',
    remedy:
      'Create or rotate a key in the portal. The last six characters of a key are a checksum, so a key that was cut off never works.',
  },
  INVALID_CREDENTIALS: {
    cause: 'No member has this address with this password. Which of the two is wrong is not told.',
    remedy: 'Try again, or ask for a new password by mail.',
  },
  INVALID_ACCESS_TOKEN: {
    cause: 'The access token has expired after 15 minutes, or its session was ended.',
    remedy:
      'Get a new one from `POST /api/auth/refresh`, and sign in again if that is refused, too.',
  },
  INVALID_REFRESH_TOKEN: {
    cause:
      'The cookie with the refresh token is missing, has expired, or was used before: each works once.',
    remedy: 'Sign in again. Keep only the newest cookie, and refresh from one place at a time.',
  },
  QUOTA_EXCEEDED: {
    cause: "The documents of the free plan's month are used up.",
    remedy:
      'Wait for the next cycle (`currentPeriodEnd` of the billing info) or change to a paid plan, which goes on past its quota. Documents that were rejected or failed are given back.',
  },
  FORBIDDEN_RESOURCE: {
    cause: 'The report or the file exists, and only other organizations have it.',
    remedy: 'Use a key of the organization that submitted the document.',
  },
  INSUFFICIENT_SCOPE: {
    cause: 'The API key lacks the scope that the operation needs.',
    remedy:
      'Use a key with the scope that `detail` names: `normalize` sends documents in, `read` reads everything.',
  },
  INSUFFICIENT_ROLE: {
    cause: 'The member who is signed in has a role that may not do this.',
    remedy: 'Ask an admin or the owner; `detail` says which role it takes.',
  },
  ORGANIZATION_INACTIVE: {
    cause: 'The organization was deactivated. It can be read, and nothing in it changes any more.',
    remedy: 'A deactivation cannot be undone. Register a new organization to go on.',
  },
  NOT_FOUND: {
    cause: 'There is no such path, or no such thing in the organization that asks.',
    remedy:
      'Check the id and that the key belongs to the organization that made the thing. Things of others are answered in the same way.',
  },
  EXPIRED: {
    cause: 'The file or report was kept as long as the plan keeps it, and was then removed.',
    remedy:
      'Submit the original again: the same file with the same options gives the same bytes. Attestation and certificate are still there.',
  },
  NO_PENDING_DELETION: {
    cause: 'Nobody asked for the deletion of the account, or it was cancelled.',
    remedy: 'Nothing has to be done.',
  },
  METHOD_NOT_ALLOWED: {
    cause: 'The path exists, and does not take this method.',
    remedy: 'Use one of the methods in the header `Allow`.',
  },
  REQUEST_TIMEOUT: {
    cause: 'The request stopped arriving before it was complete.',
    remedy:
      'Send it again, with an `idempotency_key` if it is an upload, over a better connection.',
  },
  ALREADY_MEMBER: {
    cause: 'Whoever is invited is a member of the organization already.',
    remedy: 'Change the role of the member if that was meant.',
  },
  PRECONDITION_FAILED: {
    cause: 'The header `If-Match` names another file than the one that has the hash in the path.',
    remedy: 'Leave the condition out, or send the `ETag` of the file: its hash in quotation marks.',
  },
  FILE_TOO_LARGE: {
    cause:
      'The body is larger than the service takes from anybody. A file over the limit of the plan is another thing: it is answered with 200 and the status REJECTED.',
    remedy: 'Send a smaller file. The page on limits says how large one may be.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause:
      'The header `Content-Type` is missing or names a format that the operation does not take.',
    remedy: 'Send `multipart/form-data` for an upload and `application/json` for everything else.',
  },
  RANGE_NOT_SATISFIABLE: {
    cause: 'The header `Range` begins behind the end of the file.',
    remedy:
      'Ask for bytes that are there: `Content-Range` of the answer says how many the file has.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The same idempotency key was sent with another file within the last 24 hours.',
    remedy: 'Take a new key for a new file. The same key is for sending the same file again.',
  },
  RATE_LIMITED: {
    cause: 'More requests came in the current window than its limit allows.',
    remedy:
      'Wait as many seconds as `Retry-After` says. `RateLimit` tells with each answer how many are left.',
  },
  HEADERS_TOO_LARGE: {
    cause: 'The headers of the request are larger than 16 KiB together.',
    remedy:
      'Send fewer or smaller headers; cookies of other pages on the same host are often the reason.',
  },
  INTERNAL_ERROR: {
    cause: 'The service has a fault. Nothing about the request has to be wrong.',
    remedy:
      'Send the same request again, with the same idempotency key if it is an upload. If it comes back, tell whoever runs the service the `requestId`.',
  },
  UNAVAILABLE: {
    cause:
      'The service cannot reach its database or its storage at the moment, or is being replaced.',
    remedy:
      'Send the request again after as many seconds as `Retry-After` says. Nothing was half done.',
  },
} as const satisfies Record<ProblemCode, Guidance>
