import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

/** Builds, packs and installs, in folders of its own: several tests may do so at a time. */
export async function installPackedPackage(): Promise<PackedPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'pdfnorm-sdk-'))
  const stage = join(folder, 'stage')
  await mkdir(stage)
  for (const file of ['package.json', 'README.md']) {
    await copyFile(join(root, file), join(stage, file))
  }
  await run('npx', ['tsdown', '--out-dir', join(stage, 'dist')], { cwd: root })
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: stage })
  const reports: PackReport[] | Record<string, PackReport> = JSON.parse(packed.stdout)
  const [report] = Object.values(reports)
  if (report === undefined) throw new Error('npm packed nothing')
  const tarball = join(folder, report.filename)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
  return {
    folder,
    tarball,
    files: report.entryCount,
    unpackedBytes: report.unpackedSize,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
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
