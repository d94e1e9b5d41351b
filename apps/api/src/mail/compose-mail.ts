import type { Mail } from '../mailer.ts'

/** What a mail says; everything is plain text. */
export interface MailContent {
  to: string
  subject: string
  text: string
  /** What the link does, as the words on its button. */
  action: string
  link: string
  closing: string
}

/** The one form of all mails: some text, one link, a closing; as plain text and as HTML. */
export function composeMail({
  to,
  subject,
  text,
  action,
  link,
  closing,
}: MailContent): Omit<Mail, 'id'> {
  return {
    to,
    subject,
    link,
    text: [text, '', `${action}:`, link, '', closing, ''].join('\n'),
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px;font-family:sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a">
<p>${escapeHtml(text)}</p>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none">${escapeHtml(action)}</a></p>
<p>${escapeHtml(closing)}</p>
<p style="color:#595959;font-size:14px">If the button does not work, open this address:<br>${escapeHtml(link)}</p>
</body>
</html>
`,
  }
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
