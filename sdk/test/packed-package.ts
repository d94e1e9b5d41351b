import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')

/** The package as npm would publish it, installed into an empty folder. */
export interface PackedPackage extends AsyncDisposable {
  /** Where `import '@pdfnorm/sdk'` finds it. */
  readonly folder: string
  readonly tarball: string
  readonly files: number
  readonly unpackedBytes: number
}

interface PackReport {
  readonly filename: string
  readonly entryCount: number
  readonly unpackedSize: number
}

/** Builds, packs and installs, in a folder of its own: several tests may do so at a time. */
export async function installPackedPackage(): Promise<PackedPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'pdfnorm-sdk-'))
  const tarball = await packed()
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
  const report = JSON.parse(await readFile(`${tarball}.json`, 'utf8')) as PackReport
  return {
    folder,
    tarball,
    files: report.entryCount,
    unpackedBytes: report.unpackedSize,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The same sources are packed once: the tarball is named by what went into it. */
async function packed(): Promise<string> {
  const cache = join(tmpdir(), 'pdfnorm-sdk-packed')
  const tarball = join(cache, `${await hashOfSources()}.tgz`)
  if (existsSync(tarball)) return tarball
  await mkdir(cache, { recursive: true })
  const stage = await mkdtemp(join(cache, 'stage-'))
  for (const file of published) await cp(join(root, file), join(stage, file))
  await run('npx', ['tsdown', '--out-dir', join(stage, 'dist')], { cwd: root })
  const { stdout } = await run('npm', ['pack', '--json'], { cwd: stage })
  const reports: PackReport[] | Record<string, PackReport> = JSON.parse(stdout)
  const [report] = Object.values(reports)
  if (report === undefined) throw new Error('npm packed nothing')
  await writeFile(`${tarball}.json`, JSON.stringify(report))
  await rename(join(stage, report.filename), tarball)
  await rm(stage, { recursive: true })
  return tarball
}

/** What goes into the package beside what is built. */
const published = ['package.json', 'README.md', 'bin/pdfnorm.js']

async function hashOfSources(): Promise<string> {
  const sources = await readdir(join(root, 'src'), { recursive: true })
  const files = [
    ...published,
    'tsdown.config.ts',
    'tsconfig.json',
    'tsconfig.build.json',
    ...sources.filter((path) => path.endsWith('.ts')).map((path) => join('src', path)),
  ]
  const digest = createHash('sha256')
  for (const file of files.sort()) digest.update(file).update(await readFile(join(root, file)))
  return digest.digest('hex')
}

export interface Manifest {
  readonly version: string
  readonly dependencies?: object
  readonly peerDependencies?: object
  readonly optionalDependencies?: object
  readonly sideEffects?: boolean
  readonly exports: Readonly<Record<string, unknown>>
}

export async function manifestOf({ folder }: PackedPackage): Promise<Manifest> {
  const path = join(folder, 'node_modules/@pdfnorm/sdk/package.json')
  return JSON.parse(await readFile(path, 'utf8'))
}
