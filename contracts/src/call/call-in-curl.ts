import type { Call } from './call.ts'

const credentials = {
  'api-key': ['-H "X-Api-Key: $PDFNORM_API_KEY"'],
  'access-token': ['-H "Authorization: Bearer $ACCESS_TOKEN"'],
  'refresh-cookie': ['--cookie cookies.txt --cookie-jar cookies.txt'],
} satisfies Record<NonNullable<Call['credentials']>, string[]>

/** A call as a command for a POSIX shell. */
export function callInCurl(call: Call): string {
  const { method, baseUrl, target, body, answer, operationId } = call
  const usualMethod = body === null ? 'GET' : 'POST'
  const address = `${baseUrl ?? '$PDFNORM_BASE_URL'}${target}`
  const parts = [
    `curl -s${method === usualMethod ? '' : ` -X ${method}`} "${address}"`,
    ...(call.credentials === null ? [] : credentials[call.credentials]),
    ...bodyOf(call),
    // A file may lie elsewhere, where a redirect leads.
    ...(typeof answer === 'object' ? [`-L -o ${answer.fileName}`] : []),
    ...(operationId === 'login' ? ['--cookie-jar cookies.txt'] : []),
  ]
  return parts.join(' \\\n  ')
}

function bodyOf({ body }: Call): string[] {
  if (body === null) return []
  if (body.kind === 'form') return ['-F file=@in.pdf', ...body.fields.map(formField)]
  return ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body.value))}`]
}

/** `-F` gives some characters a meaning, `--form-string` none. */
function formField([name, value]: readonly [string, string]): string {
  const isPlain = /^[\w.:/-]+$/.test(value)
  return isPlain ? `-F ${name}=${value}` : `--form-string ${quoted(`${name}=${value}`)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
