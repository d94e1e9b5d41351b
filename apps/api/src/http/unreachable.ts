/**
 * Whether a fault means that what the service stands on, as its database, cannot be reached now: the same request may
 * succeed in a while.
 */
export function isUnreachable(error: unknown): boolean {
  let cause = error
  for (let depth = 0; depth < deepestCause && cause instanceof Error; depth += 1) {
    if (namesLostConnection(cause)) return true
    cause = cause.cause
  }
  return false
}

/** Drivers wrap an error once or twice. */
const deepestCause = 5

/** What Node says of a connection; ENOENT is a socket in the file system that is not there. */
const connectionCodes = /^(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/

/** What the machine has run out of: space on the disk, or files that may be open. */
const resourceCodes = /^(?:ENOSPC|EDQUOT|EMFILE|ENFILE)$/

/** What the machine says of a disk that fails, or of a directory where its storage was mounted. */
const diskCodes = /^(?:EIO|EROFS|ESTALE|ENOTCONN|ENODEV|ENXIO|ENOTDIR)$/

/** PostgreSQL, appendix A: connection exceptions, too many connections, shutting down, starting up. */
const sqlStates = /^(?:08...|53300|57P0[1-3])$/

/** What pg says without a code. */
const messages =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/

function namesLostConnection(
  error: Error & { code?: unknown; syscall?: unknown; $fault?: unknown },
): boolean {
  const code = typeof error.code === 'string' ? error.code : ''
  return (
    connectionCodes.test(code) ||
    resourceCodes.test(code) ||
    diskCodes.test(code) ||
    sqlStates.test(code) ||
    (code === 'ENOENT' && error.syscall === 'connect') ||
    // What the AWS SDK says of a storage that failed or did not answer in time.
    error.$fault === 'server' ||
    error.name === 'TimeoutError' ||
    messages.test(error.message)
  )
}
