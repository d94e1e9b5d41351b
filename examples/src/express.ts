import { pipeline } from 'node:stream/promises'
import { Pdfnorm } from '@pdfnorm/sdk'
import { expressHandler } from '@pdfnorm/sdk/express'
import express from 'express'

const pdfnorm = new Pdfnorm() // PDFNORM_BASE_URL and PDFNORM_API_KEY
const secret = process.env['PDFNORM_WEBHOOK_SECRET'] ?? ''
const app = express()

// The upload passes through to the service as it comes, and so does the file that comes back.
app.post('/normalize', async (req, res) => {
  const submission = await pdfnorm.normalizeAndWait(req)
  if (submission.status !== 'SUCCESS') {
    res.status(422).json(submission.failure)
    return
  }
  const pdf = pdfnorm.downloadArtifact(submission.outputHash).stream()
  res.type('application/pdf')
  await pipeline(pdf, res)
})

// No express.json() before it: the signature is over the bytes.
app.post(
  '/hook',
  expressHandler(secret, (event) => {
    console.log(event.event, event.data)
  }),
)

app.listen(Number(process.env['PORT'] ?? 4000))
