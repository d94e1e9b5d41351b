import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Environment } from '@pdfnorm/api/environment'
import { operations } from '@pdfnorm/contracts/endpoint/operations'
import { regions } from '@pdfnorm/contracts/schema/region'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFile(path.join(root, file), 'utf8')

const settings: ReadonlySet<string> = new Set(Object.keys(Environment.shape))

/** What others than the service read: the SDK of AWS, PostgreSQL, the storage's gateway. */
const ofOthers = /^(?:AWS|POSTGRES|ROOT)_/

interface Package {
  readonly workspaces: readonly string[]
  readonly devDependencies: { readonly node: string }
}

test('the Dockerfile copies what there is, and the manifest of every workspace', async () => {
  const copied = await copiedFromHere()
  expect(copied.length).toBeGreaterThan(10)
  expect(copied.filter((file) => !existsSync(path.join(root, file)))).toEqual([])

  const { workspaces }: Package = JSON.parse(await read('package.json'))
  for (const workspace of workspaces) {
    const folders = workspace.endsWith('/*') ? await foldersIn(workspace.slice(0, -2)) : [workspace]
    for (const folder of folders) expect(copied).toContain(`${folder}/package.json`)
  }
})

test('nothing that the Dockerfile copies is kept from the builder', async () => {
  const lines = (await read('.dockerignore')).split('\n').filter((line) => !line.startsWith('#'))
  const admitted = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  for (const file of await copiedFromHere()) {
    const isAdmitted = admitted.some((one) => file === one || file.startsWith(`${one}/`))
    expect({ file, isAdmitted }).toEqual({ file, isAdmitted: true })
  }
})

test('the image has the Node on which the tests run, and settings that exist', async () => {
  const dockerfile = await read('Dockerfile')
  const { devDependencies }: Package = JSON.parse(await read('package.json'))
  expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${devDependencies.node}-`)
  const [, set = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? []
  for (const pair of set.split(' ')) expect(settings).toContain(pair.split('=')[0])
})

test('every process that containers start is a program of the service', async () => {
  const files = [await read('Dockerfile'), await read('compose.yaml'), ...(await manifestTexts())]
  const programs = files.flatMap((text) => text.match(/apps\/api\/src\/[\w-]+\.ts/g) ?? [])
  expect(new Set(programs).size).toBe(3)
  expect(programs.filter((program) => !existsSync(path.join(root, program)))).toEqual([])
})

test('what compose sets is what the service takes in production', async () => {
  const services = composeServices(filledIn(await read('compose.yaml')))
  for (const [name, { environment }] of Object.entries(services)) {
    const unknown = Object.keys(environment).filter(
      (one) => !settings.has(one) && !ofOthers.test(one),
    )
    expect({ name, unknown }).toEqual({ name, unknown: [] })
  }
  for (const name of ['migrate', 'api', 'worker']) {
    const set = Object.entries(services[name]?.environment ?? {}).filter(
      ([, value]) => value !== '',
    )
    const read = Environment.safeParse({ ...Object.fromEntries(set), NODE_ENV: 'production' })
    expect(read.error?.issues).toBeUndefined()
  }
})

test('what compose asks for is in its example, and there is a bucket for each region', async () => {
  const compose = await read('compose.yaml')
  const asked = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
  const example = await read('deploy/compose.env.example')
  for (const name of asked) expect(example).toMatch(new RegExp(`^${name}=`, 'm'))
  for (const region of regions) expect(compose).toContain(`/srv/buckets/pdfnorm-${region}`)
})

interface Manifest {
  readonly kind: string
  readonly metadata?: { readonly name: string }
  readonly data?: object
  readonly stringData?: object
  readonly resources?: readonly string[]
}

test('the manifests name settings, addresses and each other as they are', async () => {
  const texts = await manifestTexts()
  const manifests = texts.flatMap((text) =>
    parseAllDocuments(text).map((document): Manifest => document.toJS()),
  )
  const set = manifests.flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData }))
  const inContainers = texts.flatMap((text) =>
    [...text.matchAll(/\{ name: ([A-Z_]+), value:/g)].map(([, name = '']) => name),
  )
  expect(set.length).toBeGreaterThan(5)
  expect([...set, ...inContainers].filter((name) => !settings.has(name))).toEqual([])

  const probed = texts.flatMap((text) => [...text.matchAll(/httpGet: \{ path: (\S+),/g)])
  const answered = new Set<string | undefined>(Object.values(operations).map(({ path }) => path))
  expect(probed.length).toBe(6)
  expect(probed.filter(([, path]) => !answered.has(path))).toEqual([])

  const named = new Set(manifests.map(({ kind, metadata }) => `${kind}/${metadata?.name}`))
  for (const one of ['ConfigMap/pdfnorm', 'ServiceAccount/pdfnorm', 'Service/pdfnorm']) {
    expect(named).toContain(one)
  }
  const listed = manifests.flatMap(({ resources = [] }) => resources)
  const files = await readdir(path.join(root, 'deploy/kubernetes'))
  const apart = ['kustomization.yaml', 'secret.example.yaml']
  expect([...listed, ...apart].sort()).toEqual(files.sort())
})

/** What the Dockerfile takes from the folder of the project. */
async function copiedFromHere(): Promise<string[]> {
  const lines = (await read('Dockerfile')).split('\n')
  return lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(' ').slice(1, -1))
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true })
  return entries.filter((one) => one.isDirectory()).map(({ name }) => `${folder}/${name}`)
}

async function manifestTexts(): Promise<string[]> {
  const files = await readdir(path.join(root, 'deploy/kubernetes'))
  return Promise.all(files.map((file) => read(`deploy/kubernetes/${file}`)))
}

interface ComposeService {
  readonly environment?: Readonly<Record<string, unknown>>
}

/** Services with their variables, which reach a process as text. */
function composeServices(text: string): Record<string, { environment: Record<string, string> }> {
  const { services }: { services: Record<string, ComposeService> } = parse(text, { merge: true })
  return Object.fromEntries(
    Object.entries(services).map(([name, { environment = {} }]) => [
      name,
      {
        environment: Object.fromEntries(
          Object.entries(environment).map(([variable, value]) => [variable, String(value)]),
        ),
      },
    ]),
  )
}

/** What Compose puts in the place of `${…}`: the default, or what somebody has filled in. */
function filledIn(compose: string): string {
  const given: Record<string, string> = {
    BASE_URL: 'https://pdf.example.com',
    STORAGE_PUBLIC_URL: 'https://files.example.com',
    SMTP_URL: 'smtps://mail.example.com',
    SECRETS_KEY: 'ab'.repeat(32),
  }
  return compose
    .replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => given[name] ?? 'letters')
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
}
