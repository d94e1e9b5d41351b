import { Pdfnorm } from '@pdfnorm/sdk'

// app/normalize/route.ts
const pdfnorm = new Pdfnorm() // PDFNORM_BASE_URL and PDFNORM_API_KEY

export async function POST(request: Request): Promise<Response> {
  const submission = await pdfnorm.normalizeAndWait(request.body ?? new Uint8Array())
  if (submission.status !== 'SUCCESS') return Response.json(submission.failure, { status: 422 })
  const pdf = pdfnorm.downloadArtifact(submission.outputHash).stream()
  return new Response(pdf, { headers: { 'Content-Type': 'application/pdf' } })
}
