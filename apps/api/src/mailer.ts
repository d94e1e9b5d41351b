import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from './config.ts'

export interface Mail {
  /** The same when a mail is sent again, so that a receiver sees one that came twice as one. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** The one thing the reader is asked to open; without a mail server it is written to the log. */
  link: string
}

export interface Mailer {
  /** @throws Error that names nobody if the mail server does not take the mail */
  send(mail: Mail): Promise<void>
  /** Removes what was sent to these addresses, where this side keeps mails at all. */
  forget(addresses: readonly string[]): Promise<void>
}

/** The mail server did not take a mail. What it said is left out: it repeats addresses. */
class MailNotTakenError extends Error {
  constructor(error: unknown) {
    const { code, responseCode } =
      typeof error === 'object' && error !== null ? (error as Reply) : {}
    super(`The mail server did not take a mail: ${responseCode ?? code ?? 'unknown'}`)
    this.name = 'MailNotTakenError'
  }
}

/** What nodemailer tells of a failure beside its message. */
interface Reply {
  code?: string
  responseCode?: number
}

/** How long a mail server may be silent, in milliseconds. */
const patienceMs = 20_000

/** Sends through `SMTP_URL`; without it (development only) each mail is an `.eml` file. */
export function openMailer(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDirectory' | 'baseUrl'>,
  log: Logger,
): Mailer {
  if (config.smtpUrl === undefined) return fileMailer(config, log)

  const transport = createTransport({
    url: config.smtpUrl,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  })
  return {
    async send(mail) {
      try {
        await transport.sendMail(message(config, mail))
      } catch (error) {
        throw new MailNotTakenError(error)
      }
    },
    forget: () => Promise.resolve(),
  }
}

function fileMailer(
  config: Pick<Config, 'mailFrom' | 'dataDirectory' | 'baseUrl'>,
  log: Logger,
): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const directory = join(config.dataDirectory, 'mail')
  return {
    async send(mail) {
      const sent = await transport.sendMail(message(config, mail))
      await mkdir(directory, { recursive: true })
      const path = join(directory, `${uuidv7()}.eml`)
      // Under its name a mail is whole.
      await writeFile(`${path}.part`, sent.message, { mode: 0o600 })
      await rename(`${path}.part`, path)
      const { subject, link } = mail
      log.info({ subject, link, path }, 'a mail was written to a file: SMTP_URL is not set')
    },
    async forget(addresses) {
      const receivers = addresses.map((address) => `\r\nTo: ${address}\r\n`)
      const names = await readdir(directory).catch(() => [])
      for (const path of names.map((name) => join(directory, name))) {
        const text = await readFile(path, 'latin1')
        if (receivers.some((receiver) => text.includes(receiver))) await rm(path, { force: true })
      }
    },
  }
}

function message(
  { mailFrom, baseUrl }: Pick<Config, 'mailFrom' | 'baseUrl'>,
  { id, to, subject, text, html }: Mail,
) {
  return {
    messageId: `<${id}@${new URL(baseUrl).hostname}>`,
    from: mailFrom,
    // An address and not a list of them, whatever it holds.
    to: { name: '', address: to },
    subject,
    text,
    html,
    // RFC 3834, 5: nobody's holiday notice answers it.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
