import { Pdfnorm } from '@pdfnorm/sdk'
import { expressHandler } from '@pdfnorm/sdk/express'
import fastify from 'fastify'

const pdfnorm = new Pdfnorm() // PDFNORM_BASE_URL and PDFNORM_API_KEY
const secret = process.env['PDFNORM_WEBHOOK_SECRET'] ?? ''
const app = fastify()

// Bodies stay streams: PDFs are passed on as they come, and webhooks are signed over their bytes.
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', (_request, body, done) => done(null, body))

app.post('/normalize', async (request, reply) => {
  const submission = await pdfnorm.normalizeAndWait(request.raw)
  if (submission.status !== 'SUCCESS') return reply.code(422).send(submission.failure)
  const pdf = pdfnorm.downloadArtifact(submission.outputHash).stream()
  return reply.type('application/pdf').send(pdf)
})

const hook = expressHandler(secret, (event) => {
  console.log(event.event, event.data)
})

app.post('/hook', async (request, reply) => {
  reply.hijack()
  await hook(request.raw, reply.raw)
})

await app.listen({ port: Number(process.env['PORT'] ?? 4000), host: '127.0.0.1' })
