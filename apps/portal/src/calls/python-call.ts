import { type Call, writtenCall } from './call.ts'

/** The call for Python, with the package requests. */
export function pythonCall(call: Call, origin: string): string {
  const { method, url, credential, json, form, savesAs } = writtenCall(call, origin)
  const options: string[] = []
  if (credential !== null) {
    const value = `os.environ["${credential.variable}"]`
    const header =
      credential.prefix === '' ? value : `f"${credential.prefix}{${value.replaceAll('"', "'")}}"`
    options.push(`headers={"${credential.header}": ${header}}`)
  }
  if (json !== null) options.push(`json=${pythonValue(json)}`)
  if (form !== null) {
    options.push(`files={"${form.fileField}": open("in.pdf", "rb")}`)
    if (Object.keys(form.fields).length > 0) options.push(`data=${pythonValue(form.fields)}`)
  }
  const lines = [...(credential === null ? [] : ['import os']), 'import requests', '']
  lines.push(
    `response = requests.${method.toLowerCase()}(`,
    ...[JSON.stringify(url), ...options].map((part) => `    ${part},`),
    ')',
    'response.raise_for_status()',
    savesAs === null
      ? 'print(response.json())'
      : `with open("${savesAs}", "wb") as file:\n    file.write(response.content)`,
  )
  return lines.join('\n')
}

/** JSON text is Python but for three words; the values are plain data without depth to speak of. */
function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${entries.map(([name, member]) => `${JSON.stringify(name)}: ${pythonValue(member)}`).join(', ')}}`
}
