import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'

/** What the service is compared with: Express 5 and one handler that answers a JSON body from memory. */
const app = express()
app.disable('x-powered-by')
let body: unknown = { status: 'ok' }
app.put('/body', express.json(), (request, response) => {
  body = request.body
  response.end()
})
app.get('/body', (_request, response) => {
  response.json(body)
})

const server = createServer(app).listen(0)
await once(server, 'listening')
process.send?.({ port: (server.address() as AddressInfo).port })
