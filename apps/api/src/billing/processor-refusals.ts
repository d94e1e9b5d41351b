import { Refusal } from '@pdfnorm/contracts/schema/problem'

export function noPayments(): Refusal<'UNAVAILABLE'> {
  return new Refusal(
    'UNAVAILABLE',
    'This service takes no payments: its operator has not set STRIPE_SECRET_KEY.',
  )
}

export function processorAway(): Refusal<'UNAVAILABLE'> {
  return new Refusal('UNAVAILABLE', 'The payment processor does not answer. Try again.', {
    retryAfterSeconds: 30,
  })
}
