import { env } from 'node:process'
import { Pdfnorm } from '@pdfnorm/sdk'
import { fetchHandler } from '@pdfnorm/sdk/webhooks'

const pdfnorm = new Pdfnorm() // PDFNORM_BASE_URL and PDFNORM_API_KEY
const secret = env['PDFNORM_WEBHOOK_SECRET'] ?? ''

const hook = fetchHandler(secret, (event) => {
  console.log(event.event, event.data)
})

// deno serve --allow-net --allow-env deno.ts
export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/hook') return hook(request)
    const submission = await pdfnorm.normalizeAndWait(request.body ?? new Uint8Array())
    if (submission.status !== 'SUCCESS') return Response.json(submission.failure, { status: 422 })
    const pdf = pdfnorm.downloadArtifact(submission.outputHash).stream()
    return new Response(pdf, { headers: { 'Content-Type': 'application/pdf' } })
  },
}
