import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { keepPace } from './keep-pace.ts'

let server: Server
let client: Socket
afterEach(() => {
  client.destroy()
  server.closeAllConnections()
  server.close()
})

async function start(listener: RequestListener): Promise<void> {
  server = createServer(listener)
  keepPace(server, { periodMs: 20, minBytes: 1024 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
}

test('a client that stops in the middle of its body is told that it is too slow', async () => {
  await start((req) => req.resume())
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nthe beginning')
  const [fault] = (await once(server, 'clientError')) as [NodeJS.ErrnoException]

  expect(fault.code).toBe('ERR_HTTP_REQUEST_TIMEOUT')
})

test('a client that does not read its answer is disconnected', async () => {
  const ended = Promise.withResolvers<boolean>()
  await start((_req, res) => {
    res.once('close', () => ended.resolve(res.writableFinished))
    res.end(Buffer.alloc(64 * 1024 * 1024))
  })
  client.pause()
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')

  expect(await ended.promise).toBe(false)
})

test('a request that nobody reads for the moment is left alone', async () => {
  const requests: string[] = []
  const slow = new Socket()
  await start((req, res) => {
    requests.push(req.url ?? '')
    if (req.url === '/slow') {
      req.resume()
      return
    }
    slow.once('close', () => {
      req.resume()
      res.end('answered')
    })
  })
  server.on('clientError', (_fault, socket) => socket.destroy())
  const head = 'HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 9\r\n\r\n'
  client.write(`POST /waits ${head}the whole`)
  // Both have been looked at as often when this one is disconnected, which came later.
  slow.connect((server.address() as AddressInfo).port, '127.0.0.1')
  slow.write(`POST /slow ${head}the`)

  expect(Buffer.concat(await client.toArray()).toString()).toContain('answered')
  expect(requests).toEqual(['/waits', '/slow'])
})
