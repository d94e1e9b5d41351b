import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Call } from '@pdfnorm/contracts/call/call'
import { callInCurl } from '@pdfnorm/contracts/call/call-in-curl'
import { callInPython } from '@pdfnorm/contracts/call/call-in-python'
import { callInTypescript } from '@pdfnorm/contracts/call/call-in-typescript'
import { endpointCall } from '@pdfnorm/contracts/call/endpoint-call'
import { apiKeys } from '@pdfnorm/contracts/endpoint/api-keys'
import { normalize } from '@pdfnorm/contracts/endpoint/normalize'
import { exampleCall } from '../docs/site/reference/example-call.ts'
import { documentedOperations, isCallable } from '../docs/site/reference/openapi-document.ts'

/** What a call of the reference was answered with: its operation, the status, and the code of a refusal. */
interface AnsweredCall {
  readonly operationId: string
  readonly status: number
  readonly code: string | null
}

/** After these, in this order, nothing of the organization can be called any more. */
const ending = ['deactivateOrganization', 'logout']

/** Calls of the reference that leave a key, a session and an organization to call the others with. */
export function harmlessCalls(): Call[] {
  return allCalls().filter(({ operationId }) => !ending.includes(operationId))
}

export function endingCalls(): Call[] {
  return ending.flatMap((id) => allCalls().filter(({ operationId }) => operationId === id))
}

/** Calls as the portal writes them, for its own address, with a text that somebody typed. */
export function callsWith(text: string, baseUrl: string): Call[] {
  const fields = { linearize: false, idempotency_key: text }
  const key = { name: text, scopes: ['read'], expiresAt: null }
  return [
    endpointCall(normalize.normalizePdf, { body: fields }, baseUrl),
    endpointCall(apiKeys.createApiKey, { body: key }, baseUrl),
  ]
}

function allCalls(): Call[] {
  return documentedOperations().filter(isCallable).map(exampleCall)
}

/** Runs each call as it stands in the reference, in one shell. */
export async function runCurl(
  calls: readonly Call[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<AnsweredCall[]> {
  const script = calls.map((call) => {
    const told = `-w '%{stderr}${call.operationId} %{http_code} '`
    return `${callInCurl(call)} \\\n  ${told} | grep -o '"code":"[A-Z_]*"' >&2 || true\necho >&2`
  })
  const { stderr } = await run('bash', ['-c', script.join('\n')], folder, env)
  return answersIn(stderr)
}

/** Runs each call as it stands in the reference, in one interpreter. */
export async function runPython(
  calls: readonly Call[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<AnsweredCall[]> {
  await saveCalls(calls, path.join(folder, 'python'), 'py', callInPython)
  const { stderr } = await run('python3', ['-c', pythonRunner, ...idsOf(calls)], folder, env)
  return answersIn(stderr)
}

const pythonRunner = `
import sys, urllib.error
for operation in sys.argv[1:]:
    status, code = 200, ""
    try:
        exec(compile(open(f"python/{operation}.py").read(), operation, "exec"), {})
    except urllib.error.HTTPError as error:
        status, code = error.code, error.read().decode()
    print(operation, status, code.replace("\\n", " "), file=sys.stderr)
`

/** Runs each call as it stands in the reference, in one process of Node. */
export async function runTypescript(
  calls: readonly Call[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<AnsweredCall[]> {
  await saveCalls(calls, path.join(folder, 'typescript'), 'mts', callInTypescript)
  await writeFile(path.join(folder, 'run-typescript.mts'), typescriptRunner)
  const { stderr } = await run('node', ['run-typescript.mts', ...idsOf(calls)], folder, env)
  return answersIn(stderr)
}

/** Whatever a snippet does with its answer, the last one of the service is what counts. */
const typescriptRunner = `
const original = globalThis.fetch
let told = ''
globalThis.fetch = async (...request) => {
  const response = await original(...request)
  const text = response.status < 400 ? '' : await response.clone().text()
  told = response.status + ' ' + text.replaceAll('\\n', ' ')
  return response
}
for (const operation of process.argv.slice(2)) {
  told = '0'
  await import('./typescript/' + operation + '.mts').catch(() => undefined)
  process.stderr.write(operation + ' ' + told + '\\n')
}
`

async function saveCalls(
  calls: readonly Call[],
  folder: string,
  extension: string,
  write: (call: Call) => string,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const call of calls) {
    await writeFile(path.join(folder, `${call.operationId}.${extension}`), write(call))
  }
}

function idsOf(calls: readonly Call[]): string[] {
  return calls.map(({ operationId }) => operationId)
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
) {
  return promisify(execFile)(program, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })
}

function answersIn(told: string): AnsweredCall[] {
  return [...told.matchAll(/^(\w+) (\d+)(.*)$/gm)].map(
    ([, operationId = '', status, rest = '']) => ({
      operationId,
      status: Number(status),
      code: /"code":\s?"([A-Z_]+)"/.exec(rest)?.[1] ?? null,
    }),
  )
}
