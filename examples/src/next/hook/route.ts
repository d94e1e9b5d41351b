import { fetchHandler } from '@pdfnorm/sdk/webhooks'

// app/hook/route.ts
const secret = process.env['PDFNORM_WEBHOOK_SECRET'] ?? ''

export const POST = fetchHandler(secret, (event) => {
  console.log(event.event, event.data)
})
