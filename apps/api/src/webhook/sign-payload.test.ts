import { expect, test } from 'vitest'
import { signatureHeaders } from './sign-payload.ts'

test('a payload is signed as the example of Standard Webhooks is', () => {
  const headers = signatureHeaders({
    eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    payload: Buffer.from('{"test": 2432232314}'),
    at: new Date(1_614_265_330_999),
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  })
  expect(headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})
