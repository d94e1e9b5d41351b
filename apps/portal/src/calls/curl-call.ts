import { type Call, writtenCall } from './call.ts'

/** The call for a POSIX shell. */
export function curlCall(call: Call, origin: string): string {
  const { method, url, credential, json, form, savesAs } = writtenCall(call, origin)
  const parts = [`curl ${quoted(url)}`]
  const isImplied = method === 'GET' || (method === 'POST' && (json !== null || form !== null))
  if (!isImplied) parts.push(`-X ${method}`)
  if (credential !== null) {
    parts.push(`-H "${credential.header}: ${credential.prefix}$${credential.variable}"`)
  }
  if (json !== null) {
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(json))}`)
  }
  if (form !== null) {
    parts.push(`-F ${form.fileField}=@in.pdf`)
    for (const [name, value] of Object.entries(form.fields)) {
      parts.push(`--form-string ${quoted(`${name}=${value}`)}`)
    }
  }
  if (savesAs !== null) parts.push(`-o ${savesAs}`)
  return parts.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
