import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { run } from './command.ts'

/** A client that a well-known generator makes of the OpenAPI document. */
export interface Client {
  readonly name: string
  readonly generator: string
  /** Commands that must be installed. */
  readonly needs: readonly string[]
  /** Generates and builds it in `directory`; what it gives does the main job and gives what that printed. */
  build(directory: string): Promise<(document: string, address: string) => Promise<string>>
}

const openapi = join(import.meta.dirname, '../docs/openapi.json')
const sources = (language: string, file: string) => join(import.meta.dirname, language, file)

const python: Client = {
  name: 'python',
  generator: 'openapi-python-client 0.29.1',
  needs: ['python3'],
  async build(directory) {
    const venv = join(directory, 'venv')
    const program = (name: string) => join(venv, 'bin', name)
    const generated = join(directory, 'client')
    if (!existsSync(program('openapi-python-client'))) {
      await run('python3', ['-m', 'venv', venv])
      await run(program('pip'), ['install', '--quiet', 'openapi-python-client==0.29.1'])
    }
    await rm(generated, { recursive: true, force: true })
    // `--fail-on-warning`: what a generator leaves out is a fault of the document.
    await run(
      program('openapi-python-client'),
      [
        ['generate', '--path', openapi, '--output-path', generated],
        ['--config', sources('python', 'generator.yaml'), '--fail-on-warning'],
      ],
      { env: { PATH: [join(venv, 'bin'), process.env['PATH']].join(delimiter) } },
    )
    await run(program('pip'), ['install', '--quiet', '--force-reinstall', '--no-deps', generated])
    return (document, address) =>
      run(program('python'), [sources('python', 'main_job.py'), document], {
        env: { PDFNORM: address },
      })
  },
}

const go: Client = {
  name: 'go',
  generator: 'oapi-codegen 2.8.2',
  needs: ['go'],
  async build(directory) {
    const generator = join(directory, 'bin', 'oapi-codegen')
    const module = join(directory, 'module')
    if (!existsSync(generator)) {
      const source = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
      await run('go', ['install', source], { env: { GOBIN: join(directory, 'bin') } })
    }
    await mkdir(join(module, 'pdfnorm'), { recursive: true })
    await copyFile(sources('go', 'main_job.go'), join(module, 'main_job.go'))
    const target = join(module, 'pdfnorm', 'pdfnorm.go')
    await run(generator, ['-config', sources('go', 'generator.yaml'), '-o', target, openapi])
    if (!existsSync(join(module, 'go.mod'))) {
      await run('go', ['mod', 'init', 'mainjob'], { cwd: module })
    }
    await run('go', ['mod', 'tidy'], { cwd: module })
    await run('go', ['vet', './...'], { cwd: module })
    await run('go', ['build', '-o', 'main_job', '.'], { cwd: module })
    return (document, address) =>
      run(join(module, 'main_job'), [document], { env: { PDFNORM: address } })
  },
}

const java: Client = {
  name: 'java',
  generator: 'OpenAPI Generator 7.25.0 (java, native)',
  needs: ['java', 'mvn'],
  async build(directory) {
    const generator = join(directory, 'openapi-generator-cli-7.25.0.jar')
    const project = join(directory, 'client')
    if (!existsSync(generator)) {
      await run('mvn', [
        ['--quiet', 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy'],
        '-Dartifact=org.openapitools:openapi-generator-cli:7.25.0',
        `-DoutputDirectory=${directory}`,
      ])
    }
    await rm(join(project, 'src'), { recursive: true, force: true })
    await run('java', [
      ['-jar', generator, 'generate', '--generator-name', 'java', '--library', 'native'],
      ['--input-spec', openapi, '--output', project],
      ['--config', sources('java', 'generator.yaml')],
    ])
    await copyFile(sources('java', 'MainJob.java'), join(project, 'src/main/java/MainJob.java'))
    const classPath = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath'
    const list = join(project, 'target/class-path')
    await run('mvn', ['--quiet', 'compile', classPath, `-Dmdep.outputFile=${list}`], {
      cwd: project,
    })
    const classes = [join(project, 'target/classes'), await readFile(list, 'utf8')].join(delimiter)
    return (document, address) =>
      run('java', ['-cp', classes, 'MainJob', document], { env: { PDFNORM: address } })
  },
}

const typescript: Client = {
  name: 'typescript',
  generator: 'openapi-typescript 7.13.0 and openapi-fetch 0.17.0',
  needs: ['npm'],
  async build(directory) {
    const program = (name: string) => join(directory, 'node_modules', '.bin', name)
    if (!existsSync(program('tsc'))) {
      await writeFile(join(directory, 'package.json'), '{ "private": true, "type": "module" }\n')
      await run(
        'npm',
        [
          ['install', '--no-audit', '--no-fund', 'openapi-typescript@7.13.0'],
          ['openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@24.19.2'],
        ],
        { cwd: directory },
      )
    }
    await copyFile(sources('typescript', 'main-job.ts'), join(directory, 'main-job.ts'))
    await run(program('openapi-typescript'), [
      [openapi, '--output', join(directory, 'pdfnorm.ts')],
      // Else a field with a default would have to be given.
      '--default-non-nullable=false',
    ])
    await run(
      program('tsc'),
      [
        ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext'],
        ['--allowImportingTsExtensions', '--skipLibCheck', 'main-job.ts'],
      ],
      { cwd: directory },
    )
    return (document, address) =>
      run(process.execPath, [join(directory, 'main-job.ts'), document], {
        env: { PDFNORM: address },
      })
  },
}

export const clients: readonly Client[] = [python, go, java, typescript]
