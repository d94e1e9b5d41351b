import { type Call, writtenCall } from './call.ts'

/** The call for Node.js, with nothing to install. */
export function typescriptCall(call: Call, origin: string): string {
  const { method, url, credential, json, form, savesAs } = writtenCall(call, origin)
  const lines: string[] = []
  if (form !== null) {
    lines.push("import { openAsBlob } from 'node:fs'", '', 'const form = new FormData()')
    lines.push(`form.set(${literal(form.fileField)}, await openAsBlob('in.pdf'), 'in.pdf')`)
    for (const [name, value] of Object.entries(form.fields)) {
      lines.push(`form.set(${literal(name)}, ${literal(value)})`)
    }
    lines.push('')
  }
  if (savesAs !== null) lines.push("import { writeFile } from 'node:fs/promises'", '')

  const headers: string[] = []
  if (credential !== null) {
    const value = `\`${credential.prefix}\${process.env.${credential.variable}}\``
    headers.push(`${literalName(credential.header)}: ${value}`)
  }
  if (json !== null) headers.push("'Content-Type': 'application/json'")
  const options: string[] = []
  if (method !== 'GET') options.push(`method: ${literal(method)}`)
  if (headers.length > 0) options.push(`headers: { ${headers.join(', ')} }`)
  if (json !== null)
    options.push(`body: JSON.stringify(${indented(JSON.stringify(json, null, 2))})`)
  if (form !== null) options.push('body: form')
  lines.push(
    options.length === 0
      ? `const response = await fetch(${literal(url)})`
      : `const response = await fetch(${literal(url)}, {\n${options.map((option) => `  ${option},`).join('\n')}\n})`,
    'if (!response.ok) throw new Error(await response.text())',
    savesAs === null
      ? 'console.log(await response.json())'
      : `await writeFile(${literal(savesAs)}, new Uint8Array(await response.arrayBuffer()))`,
  )
  return lines.join('\n')
}

function literal(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function literalName(name: string): string {
  return /^\w+$/.test(name) ? name : literal(name)
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
