import type { Call } from './call.ts'
import { inLines } from './in-lines.ts'

/**
 * A call in TypeScript: with the client where an API key is enough, else with fetch, since the client signs nobody
 * in.
 */
export function callInTypescript(call: Call): string {
  return clientMethods.has(call.operationId) || call.credentials === 'api-key'
    ? withClient(call)
    : withFetch(call)
}

/** Operations of the client that need no key. */
const clientMethods = new Set(['getKeySet', 'getSigningKeyPem'])

function withClient(call: Call): string {
  const { baseUrl, credentials } = call
  const variables = [
    ...(baseUrl === null ? ['PDFNORM_BASE_URL'] : []),
    ...(credentials === null ? [] : ['PDFNORM_API_KEY']),
  ]
  const told = variables.length === 0 ? '' : ` // ${variables.join(' and ')}`
  const options = baseUrl === null ? '' : `{ baseUrl: ${literal(baseUrl)} }`
  return `import { Pdfnorm } from '@pdfnorm/sdk'

const pdfnorm = new Pdfnorm(${options})${told}
${ownWays[call.operationId]?.(call) ?? `console.log(await pdfnorm.${call.operationId}(${argumentsOf(call)}))`}`
}

/** Methods that are more than their operation (docs/decisions/0021-the-published-client.md). */
const ownWays: Readonly<Record<string, (call: Call) => string>> = {
  normalizePdf: ({ body }) => {
    const fields = body?.kind === 'form' ? body.fields : []
    const options = fields.map(([name, value]) =>
      value === 'true' || value === 'false' ? `${name}: ${value}` : `${name}: ${literal(value)}`,
    )
    const given = options.length === 0 ? '' : `, ${inLines(['{ ', ' }'], options, '  ', 0)}`
    return `console.log(await pdfnorm.normalize('in.pdf'${given}))`
  },
  downloadArtifact: ({ pathValues: [hash] }) =>
    `await pdfnorm.downloadArtifact(${literal(hash)}).toFile('out.pdf') // its SHA-256 is checked on the way`,
  verifyAttestation: ({ pathValues: [hash] }) =>
    `console.log(await pdfnorm.checkAttestation(${literal(hash)}))`,
}

function argumentsOf({ pathValues, query, body }: Call): string {
  return [
    ...pathValues.map((value) => literal(value)),
    ...(query.length === 0 ? [] : [literal(Object.fromEntries(query))]),
    ...(body?.kind === 'json' ? [literal(body.value)] : []),
  ].join(', ')
}

const headersOf = {
  'access-token': ['Authorization: `Bearer ${process.env.ACCESS_TOKEN}`'],
  'refresh-cookie': ['Cookie: `refresh_token=${process.env.REFRESH_TOKEN}`'],
  'api-key': [],
} satisfies Record<NonNullable<Call['credentials']>, string[]>

function withFetch({ method, baseUrl, target, credentials, body, answer }: Call): string {
  const headers = [
    ...(credentials === null ? [] : headersOf[credentials]),
    ...(body?.kind === 'json' ? ["'Content-Type': 'application/json'"] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body?.kind === 'json' ? [`body: JSON.stringify(${literal(body.value, 1)})`] : []),
    ...(body?.kind === 'form' ? ['body: form'] : []),
  ]
  const address =
    baseUrl === null ? `\`\${process.env.PDFNORM_BASE_URL}${target}\`` : literal(baseUrl + target)
  const given = options.length === 0 ? '' : `, {\n${options.map((one) => `  ${one},\n`).join('')}}`
  const isFile = typeof answer === 'object'
  const imports = [
    ...(body?.kind === 'form' ? ["import { openAsBlob } from 'node:fs'\n"] : []),
    ...(isFile ? ["import { writeFile } from 'node:fs/promises'\n"] : []),
  ]
  const parts = [
    ...imports,
    ...(imports.length > 0 ? ['\n'] : []),
    formOf(body),
    `const response = await fetch(${address}${given})\n`,
    isFile
      ? `await writeFile('${answer.fileName}', await response.bytes())`
      : `console.log(response.status, await response.${answer}())`,
  ]
  return parts.join('')
}

function formOf(body: Call['body']): string {
  if (body?.kind !== 'form') return ''
  const fields = body.fields.map(([name, value]) => `form.set('${name}', ${literal(value)})\n`)
  return `const form = new FormData()
form.set('file', await openAsBlob('in.pdf'), 'in.pdf')
${fields.join('')}`
}

/**
 * A JSON value as TypeScript is written: single quotes, and names without them where that goes.
 *
 * @param depth how far the line is indented, in steps
 */
function literal(value: unknown, depth = 0): string {
  if (typeof value === 'string') {
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`
  }
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, depth + 1)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([name, item]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
    return `${key}: ${literal(item, depth + 1)}`
  })
  return entries.length === 0 ? '{}' : inLines(['{ ', ' }'], entries, '  ', depth)
}
