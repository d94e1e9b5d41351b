import type { LookupOptions } from 'node:dns'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { callbackify } from 'node:util'
import { hostAddresses } from './host-addresses.ts'
import { addressForbidden, OutgoingFailure, type OutgoingPolicy } from './outgoing-policy.ts'
import type { OutgoingTarget } from './outgoing-url.ts'
import { isPublicAddress } from './public-address.ts'

/**
 * Opens a connection that nothing was sent over yet. The one lookup that the socket makes is the checked one, so a
 * name cannot have another address when it is connected to than when it was looked at (DNS rebinding); at whom the
 * connection has arrived is checked once more.
 *
 * It is made anew for each request and belongs to no pool; no proxy of the environment comes in between.
 *
 * @param signal aborted: the connection is given up at whatever point it is
 * @throws OutgoingFailure
 */
export async function openGuardedSocket(
  target: OutgoingTarget,
  policy: OutgoingPolicy,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await connected(target, policy, signal)
  if (!target.secure) return socket
  return secured(socket, target, signal)
}

async function connected(
  { host, port }: OutgoingTarget,
  policy: OutgoingPolicy,
  signal: AbortSignal,
): Promise<Socket> {
  // An address is not looked up by the socket.
  if (isIP(host) !== 0) await hostAddresses(host, policy)
  const socket = connect({ host, port, lookup: checkedLookup(policy), autoSelectFamily: true })
  await opened(socket, 'connect', signal, 'CONNECTION_FAILED')
  if (policy.allowPrivate || isPublicAddress(socket.remoteAddress ?? '')) return socket
  socket.destroy()
  throw new OutgoingFailure(addressForbidden.code, addressForbidden.text)
}

function checkedLookup(policy: OutgoingPolicy): LookupFunction {
  return callbackify((host: string, _options: LookupOptions) => hostAddresses(host, policy))
}

async function secured(
  socket: Socket,
  { host }: OutgoingTarget,
  signal: AbortSignal,
): Promise<Socket> {
  const secure = connectTls({
    socket,
    host,
    // RFC 6066, section 3: an address is no server name.
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
    // Said, because a variable of the environment could change what holds unsaid.
    rejectUnauthorized: true,
  })
  await opened(secure, 'secureConnect', signal, 'TLS_FAILED')
  return secure
}

/** Waits for the event, the socket's failure or the signal; whoever fails leaves no open socket. */
function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  code: 'CONNECTION_FAILED' | 'TLS_FAILED',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', abort)
      settle()
    }
    const fail = (error: Error) =>
      end(() => {
        socket.destroy()
        reject(error)
      })
    const abort = () => fail(new OutgoingFailure('ABORTED', 'The request was given up.'))

    signal.addEventListener('abort', abort, { once: true })
    socket.once(event, () => end(resolve))
    // Stays, so that what fails later does not end the process; the request hears of it too.
    socket.on('error', (error) => fail(asFailure(error, code)))
    socket.once('close', () => fail(new OutgoingFailure(code, 'The connection was closed.')))
    if (signal.aborted) abort()
  })
}

function asFailure(error: Error, code: 'CONNECTION_FAILED' | 'TLS_FAILED'): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error
  const reason = 'code' in error && typeof error.code === 'string' ? error.code : 'no reason given'
  const what = code === 'TLS_FAILED' ? 'A secure connection' : 'A connection'
  return new OutgoingFailure(code, `${what} could not be made: ${reason}.`)
}
