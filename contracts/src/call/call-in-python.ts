import type { Call } from './call.ts'
import { inLines } from './in-lines.ts'

const credentials = {
  'api-key': ['"X-Api-Key": os.environ["PDFNORM_API_KEY"]'],
  'access-token': ['"Authorization": "Bearer " + os.environ["ACCESS_TOKEN"]'],
  'refresh-cookie': ['"Cookie": "refresh_token=" + os.environ["REFRESH_TOKEN"]'],
} satisfies Record<NonNullable<Call['credentials']>, string[]>

/** A call in Python 3 with its standard library only. */
export function callInPython(call: Call): string {
  const headers = [
    ...(call.credentials === null ? [] : credentials[call.credentials]),
    ...(call.body?.kind === 'json' ? ['"Content-Type": "application/json"'] : []),
    ...(call.body?.kind === 'form'
      ? ['"Content-Type": "multipart/form-data; boundary=" + boundary']
      : []),
  ]
  const needsEnvironment = call.baseUrl === null || call.credentials !== null
  const modules = [
    ...(call.answer === 'json' || call.body?.kind === 'json' ? ['json'] : []),
    ...(needsEnvironment ? ['os'] : []),
    'urllib.request',
    ...(call.body?.kind === 'form' ? ['uuid'] : []),
  ]
  const address =
    call.baseUrl === null
      ? `os.environ["PDFNORM_BASE_URL"] + ${literal(call.target)}`
      : literal(call.baseUrl + call.target)
  const options = [
    address,
    ...(call.method === 'GET' ? [] : [`method="${call.method}"`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...dataOf(call),
  ]
  return `import ${modules.join(', ')}

${formOf(call)}request = urllib.request.Request(
${options.map((option) => `    ${option},\n`).join('')})
with urllib.request.urlopen(request) as response:
    ${taken(call.answer)}`
}

function taken(answer: Call['answer']): string {
  if (answer === 'json') return 'print(json.load(response))'
  if (answer === 'text') return 'print(response.read().decode())'
  return `open("${answer.fileName}", "wb").write(response.read())`
}

function dataOf({ body }: Call): string[] {
  if (body === null) return []
  if (body.kind === 'json') return [`data=json.dumps(${literal(body.value, 1)}).encode()`]
  return ['data=b"".join(parts)']
}

/** RFC 7578 by hand: the standard library has no multipart forms. */
function formOf({ body }: Call): string {
  if (body?.kind !== 'form') return ''
  const fields = Object.fromEntries(body.fields)
  return `boundary = uuid.uuid4().hex
fields = ${literal(fields)}
parts = [
    f'--{boundary}\\r\\nContent-Disposition: form-data; name="{name}"\\r\\n\\r\\n{value}\\r\\n'.encode()
    for name, value in fields.items()
]
parts += [
    f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="in.pdf"\\r\\n'.encode(),
    b"Content-Type: application/pdf\\r\\n\\r\\n",
    open("in.pdf", "rb").read(),
    f"\\r\\n--{boundary}--\\r\\n".encode(),
]
`
}

/**
 * A JSON value as Python writes it; the escapes of a JSON string are Python's, too.
 *
 * @param depth how far the line is indented, in steps
 */
function literal(value: unknown, depth = 0): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, depth + 1)).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([name, item]) => `${literal(name)}: ${literal(item, depth + 1)}`,
  )
  return inLines(['{', '}'], entries, '    ', depth)
}
