import { Pdfnorm } from '@pdfnorm/sdk'
import { fetchHandler } from '@pdfnorm/sdk/webhooks'
import { Hono } from 'hono'

const pdfnorm = new Pdfnorm() // PDFNORM_BASE_URL and PDFNORM_API_KEY
const secret = process.env['PDFNORM_WEBHOOK_SECRET'] ?? ''
const app = new Hono()

app.post('/normalize', async ({ req, json, body }) => {
  const submission = await pdfnorm.normalizeAndWait(req.raw.body ?? new Uint8Array())
  if (submission.status !== 'SUCCESS') return json(submission.failure, 422)
  const pdf = pdfnorm.downloadArtifact(submission.outputHash).stream()
  return body(pdf, 200, { 'Content-Type': 'application/pdf' })
})

const hook = fetchHandler(secret, (event) => {
  console.log(event.event, event.data)
})

app.post('/hook', ({ req }) => hook(req.raw))

export default app
