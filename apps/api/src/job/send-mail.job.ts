import { sendTokenMail } from '../mail/send-token-mail.ts'
import { job } from './job.ts'

/** Sends one mail; what the mail server does not take is tried again later. */
export const sendMailJob = job('send-mail', sendTokenMail)
