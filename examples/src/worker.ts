import { Pdfnorm } from '@pdfnorm/sdk'
import { fetchHandler } from '@pdfnorm/sdk/webhooks'

interface Environment {
  readonly PDFNORM_BASE_URL: string
  readonly PDFNORM_API_KEY: string
  readonly PDFNORM_WEBHOOK_SECRET: string
}

// A worker has its environment only while it answers.
export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    if (new URL(request.url).pathname === '/hook') return hook(environment)(request)
    const pdfnorm = new Pdfnorm({
      baseUrl: environment.PDFNORM_BASE_URL,
      apiKey: environment.PDFNORM_API_KEY,
    })
    const submission = await pdfnorm.normalizeAndWait(request.body ?? new Uint8Array())
    if (submission.status !== 'SUCCESS') return Response.json(submission.failure, { status: 422 })
    const pdf = pdfnorm.downloadArtifact(submission.outputHash).stream()
    return new Response(pdf, { headers: { 'Content-Type': 'application/pdf' } })
  },
}

function hook({ PDFNORM_WEBHOOK_SECRET }: Environment): (request: Request) => Promise<Response> {
  return fetchHandler(PDFNORM_WEBHOOK_SECRET, (event) => {
    console.log(event.event, event.data)
  })
}
