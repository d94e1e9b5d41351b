import type { Call } from './call.ts'

const credentials = {
  'api-key': ['-H "X-Api-Key: $PDFNORM_API_KEY"'],
  'access-token': ['-H "Authorization: Bearer $ACCESS_TOKEN"'],
  'refresh-cookie': ['--cookie cookies.txt --cookie-jar cookies.txt'],
} satisfies Record<NonNullable<Call['credentials']>, string[]>

/** A call as a command for a POSIX shell. */
export function callInCurl(call: Call): string {
  const { method, target, body, answer, operationId } = call
  const usualMethod = body === null ? 'GET' : 'POST'
  const parts = [
    `curl -s${method === usualMethod ? '' : ` -X ${method}`} "$PDFNORM_BASE_URL${target}"`,
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
  if (body.kind === 'form') {
    return ['-F file=@in.pdf', ...body.fields.map(([name, value]) => `-F ${name}=${value}`)]
  }
  const json = JSON.stringify(body.value).replaceAll("'", String.raw`'\''`)
  return ["-H 'Content-Type: application/json'", `-d '${json}'`]
}
