import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports of loopback that nobody has, held until all are found so that none comes twice. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, () => holdPort()))
  await Promise.all(held.map((port) => port.release()))
  return held.map(({ port }) => port)
}

async function holdPort(): Promise<{ port: number; release(): Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return {
    port: address.port,
    async release() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
