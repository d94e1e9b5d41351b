import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from './config.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  /** The one thing the reader is asked to open; without a mail server it is written to the log. */
  link: string
}

export interface Mailer {
  send(mail: Mail): Promise<void>
}

/** Sends through `SMTP_URL`; without it (development only) each mail is an `.eml` file. */
export function openMailer(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDirectory'>,
  log: Logger,
): Mailer {
  if (config.smtpUrl === undefined) return fileMailer(config, log)

  const transport = createTransport(config.smtpUrl)
  return {
    async send({ to, subject, text }) {
      await transport.sendMail({ from: config.mailFrom, to, subject, text })
    },
  }
}

function fileMailer(config: Pick<Config, 'mailFrom' | 'dataDirectory'>, log: Logger): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const directory = join(config.dataDirectory, 'mail')
  return {
    async send({ to, subject, text, link }) {
      const { message } = await transport.sendMail({ from: config.mailFrom, to, subject, text })
      await mkdir(directory, { recursive: true })
      const path = join(directory, `${uuidv7()}.eml`)
      await writeFile(path, message, { mode: 0o600 })
      log.info({ to, subject, link, path }, 'a mail was written to a file: SMTP_URL is not set')
    },
  }
}
