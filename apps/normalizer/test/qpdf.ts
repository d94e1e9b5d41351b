import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether the machine has qpdf, the independent judge of what is written. */
export const hasQpdf = spawnSync('qpdf', ['--version']).status === 0
export const withoutQpdf = hasQpdf ? '' : ' (skipped: qpdf is not installed)'

/** Everything that qpdf says about the file with these arguments before it, and its exit code. */
export function qpdf(file: Uint8Array, ...arguments_: string[]): { code: number; says: string } {
  const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-'))
  try {
    const path = join(folder, 'output.pdf')
    writeFileSync(path, file)
    const run = spawnSync('qpdf', [...arguments_, path], { encoding: 'utf8' })
    return { code: run.status ?? -1, says: (run.stdout + run.stderr).replaceAll(path, 'F').trim() }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
