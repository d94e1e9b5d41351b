import { readFile } from 'node:fs/promises'
import { runCommandLine } from './command-line/run-command-line.ts'

const manifest: { version: string } = JSON.parse(
  await readFile(new URL('../package.json', import.meta.url), 'utf8'),
)

process.exitCode = await runCommandLine(process.argv.slice(2), manifest.version)
