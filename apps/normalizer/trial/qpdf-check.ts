import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether the machine has qpdf. */
export const hasQpdf = spawnSync('qpdf', ['--version']).status === 0

export interface QpdfCheck {
  readonly file: string | null
  /** The file is sound, but what a stream of it holds is not. */
  readonly content: string | null
  readonly linearization: string | null
}

/** What qpdf has against the file and against its linearization; null: nothing. */
export async function checkWithQpdf(
  bytes: Uint8Array,
  linearized: boolean,
  folder: string,
): Promise<QpdfCheck> {
  const path = join(folder, `${randomUUID()}.pdf`)
  await writeFile(path, bytes)
  try {
    const complaints = await complaintsOf(['--check', path])
    const [linearization = null] = linearized
      ? await complaintsOf(['--check-linearization', path])
      : []
    return {
      file: complaints.find((line) => !aboutContent.test(line)) ?? null,
      content: complaints.find((line) => aboutContent.test(line)) ?? null,
      linearization,
    }
  } finally {
    await rm(path)
  }
}

/** qpdf also parses the pages' content and decodes streams, which no rewrite makes good where they came broken. */
const aboutContent = new RegExp(
  [
    /\((?:content|stream data), offset/,
    /content stream|parsing a content|errors while decoding/,
    /error decoding stream data|re-processed without filtering/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** What qpdf says at the end of all complaints. */
const closing = /operation succeeded|qpdf: errors detected/

function complaintsOf(arguments_: readonly string[]): Promise<string[]> {
  const path = arguments_.at(-1) ?? ''
  return new Promise((resolve) => {
    execFile('qpdf', arguments_, { timeout: 60_000 }, (error, stdout, stderr) => {
      if (!error) return resolve([])
      const lines = `${stderr}${stdout}`.replaceAll(path, 'output').split('\n')
      const complaints = lines.filter((line) => /^(?:WARNING|ERROR|qpdf):?/.test(line))
      const told = complaints.filter((line) => !closing.test(line))
      resolve(told.length > 0 ? told : [error.message.replaceAll(path, 'output')])
    })
  })
}
