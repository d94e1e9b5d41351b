import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receivedMail } from './mailbox.ts'
import { postJson, registerTestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

/** What the mail server of this test was given. */
const taken: { from: string; to: string[]; message: string }[] = []
/** Answers to the next messages; an empty list takes them. */
const refusals: { responseCode: number; message: string }[] = []

let smtp: SMTPServer
let server: TestServer
const lines: string[] = []
beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refusal = refusals.shift()
        if (refusal) return done(Object.assign(new Error(refusal.message), refusal))
        const { mailFrom, rcptTo } = session.envelope
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks).toString('latin1'),
        })
        done()
      })
    },
  })
  const listening = smtp.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  server = await startTestServer({
    work: true,
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'pdfnorm <service@pdfnorm.example>',
    },
    log: pino({ level: 'trace' }, { write: (line) => lines.push(line) }),
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await new Promise<void>((resolve) => smtp.close(resolve))
})

test('mails go out by SMTP, as text and HTML, with a link that works', async () => {
  const { owner } = await registerTestOrganization(server)
  const [mail] = await mailsTakenFor(owner.email, 1)

  expect(mail?.from).toBe('service@pdfnorm.example')
  expect(mail?.to).toEqual([owner.email])
  expect(mail?.message).toMatch(/^Subject: Verify your e-mail address\r$/m)
  expect(mail?.message).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(mail?.message).toMatch(/^Content-Type: multipart\/alternative;/m)
  expect(mail?.message).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m)
  expect(mail?.message).toMatch(/^Content-Type: text\/html; charset=utf-8\r$/m)
  const { token } = receivedMail(mail?.message ?? '')
  expect((await postJson(server, '/api/auth/verify-email', { token })).status).toBe(200)
})

test('a mail server that refuses loses nothing: the mail comes later, with the same link', async () => {
  refusals.push({ responseCode: 451, message: 'Try again later' })
  const { owner } = await registerTestOrganization(server)
  await expect.poll(() => waiting(), { interval: 20 }).toEqual([{ state: 'retry' }])
  expect(taken.filter(({ to }) => to.includes(owner.email))).toEqual([])

  await server.database.query(
    `update pgboss.job set start_after = now() where name = 'send-mail' and state = 'retry'`,
  )
  const [mail] = await mailsTakenFor(owner.email, 1)
  const { token } = receivedMail(mail?.message ?? '')
  expect((await postJson(server, '/api/auth/verify-email', { token })).status).toBe(200)
})

test('a mail server that cannot be reached holds no request up', async () => {
  const apart = await startTestServer({
    work: true,
    environment: { SMTP_URL: 'smtp://127.0.0.1:1' },
  })
  const { owner, fetch } = await registerTestOrganization(apart)
  const forgot = await postJson(apart, '/api/auth/forgot-password', { email: owner.email })
  expect(forgot.status).toBe(200)
  expect((await fetch('/api/portal/organization')).status).toBe(200)
  await apart[Symbol.asyncDispose]()
})

test('what became of a mail is logged without its receiver and its link', async () => {
  refusals.push({ responseCode: 550, message: '5.1.1 <somebody@example.com> is not known' })
  const { owner } = await registerTestOrganization(server)
  await expect.poll(() => lines.join(''), { interval: 20 }).toContain('did not take a mail: 550')

  const log = lines.join('')
  expect(log).not.toContain('somebody@example.com')
  expect(log).not.toContain(owner.email)
  expect(log).not.toContain('#token=')
})

async function mailsTakenFor(email: string, count: number) {
  const mails = () => taken.filter(({ to }) => to.includes(email))
  await expect.poll(() => mails().length, { interval: 20, timeout: 20_000 }).toBe(count)
  return mails()
}

function waiting() {
  return server.database.query<{ state: string }>(
    `select state from pgboss.job where name = 'send-mail' and state in ('created', 'retry', 'active')`,
  )
}
