import { Pdfnorm } from '@pdfnorm/sdk'
import { fetchHandler } from '@pdfnorm/sdk/webhooks'

const pdfnorm = new Pdfnorm() // PDFNORM_BASE_URL and PDFNORM_API_KEY
const secret = process.env['PDFNORM_WEBHOOK_SECRET'] ?? ''

const hook = fetchHandler(secret, (event) => {
  console.log(event.event, event.data)
})

// bun run bun.ts
export default {
  port: Number(process.env['PORT'] ?? 4000),

  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/hook') return hook(request)
    const submission = await pdfnorm.normalizeAndWait(request.body ?? new Uint8Array())
    if (submission.status !== 'SUCCESS') return Response.json(submission.failure, { status: 422 })
    const pdf = pdfnorm.downloadArtifact(submission.outputHash).stream()
    return new Response(pdf, { headers: { 'Content-Type': 'application/pdf' } })
  },
}
