import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** A server of a stranger on loopback that says byte for byte what a test wants. */
export interface TestReceiver extends AsyncDisposable {
  port: number
  /** Connections that were ever made to it. */
  connections: number
  /** All that was sent to it. */
  received: string
  /** Resolves when no connection is open. */
  idle(): Promise<void>
}

/** @param converse called once for each connection */
export async function startReceiver(
  converse: (socket: Socket) => void,
  when: 'after the head of a request' | 'at once' = 'after the head of a request',
): Promise<TestReceiver> {
  const open = new Set<Socket>()
  let whenIdle = () => undefined as void
  const server = createServer((socket) => {
    receiver.connections += 1
    open.add(socket)
    let head = ''
    socket.on('data', (chunk) => {
      const wasComplete = head.includes('\r\n\r\n')
      head += chunk.toString('latin1')
      receiver.received += chunk.toString('latin1')
      const isComplete = head.includes('\r\n\r\n') && !wasComplete
      if (isComplete && when !== 'at once') converse(socket)
    })
    if (when === 'at once') converse(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      whenIdle()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')

  const receiver: TestReceiver = {
    port: address.port,
    connections: 0,
    received: '',
    idle: () =>
      new Promise((resolve) => {
        whenIdle = () => {
          if (open.size === 0) resolve()
        }
        whenIdle()
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
  return receiver
}

/** Answers each request with these bytes and closes. */
export function answering(bytes: string | Uint8Array): (socket: Socket) => void {
  return (socket) => socket.end(bytes)
}
