import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TestServer } from './server.ts'

/** A mail as its receiver reads it. */
export interface ReceivedMail {
  /** The whole message, with the quoted-printable encoding of RFC 2045, 6.7 undone. */
  text: string
  /** The path of the portal that its link leads to. */
  page: string
  token: string
}

/** The mails to an address, the oldest first, once the server has none left to send. It has to work off its queues. */
export async function mailsTo(server: TestServer, email: string): Promise<ReceivedMail[]> {
  await allMailsAreSent(server)
  const directory = join(server.config.dataDirectory, 'mail')
  const names = await readdir(directory).catch(() => [])
  const mails = await Promise.all(
    names.toSorted(byText).map((name) => readFile(join(directory, name), 'latin1')),
  )
  return mails.filter((mail) => mail.includes(`\r\nTo: ${email}\r\n`)).map(receivedMail)
}

/** The token of the newest mail to an address. */
export async function tokenMailedTo(server: TestServer, email: string): Promise<string> {
  const mail = (await mailsTo(server, email)).at(-1)
  if (mail === undefined) throw new Error(`No mail to ${email}`)
  return mail.token
}

export function receivedMail(message: string): ReceivedMail {
  const text = message.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  const [, page = '', token = ''] = /\/([\w-]+)#token=([\w-]+)/.exec(text) ?? []
  return { text, page, token }
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1
}

async function allMailsAreSent({ database }: TestServer): Promise<void> {
  const waiting = () =>
    database.query(
      `select id from pgboss.job
       where name in ('request-mail', 'send-mail', 'mail-webhook-deactivated', 'mail-data-notice')
         and state in ('created', 'retry', 'active')`,
    )
  await expect.poll(waiting, { interval: 20, timeout: 20_000 }).toEqual([])
}
