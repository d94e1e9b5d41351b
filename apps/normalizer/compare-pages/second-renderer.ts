import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether the machine has poppler's renderer. */
export const hasPoppler = spawnSync('pdftoppm', ['-v']).status === 0

/**
 * Whether poppler draws the page alike in both files. PDFium draws what only a form in use has, such as the arrow of a
 * list that opens, poppler draws what stands in the file.
 *
 * @param page from 1
 * @returns null when poppler is not installed or cannot draw one of them
 */
export async function looksSameInPoppler(
  before: Uint8Array,
  after: Uint8Array,
  page: number,
): Promise<boolean | null> {
  if (!hasPoppler) return null
  const folder = await mkdtemp(join(tmpdir(), 'pdfnorm-poppler-'))
  try {
    const [one, other] = await Promise.all([
      drawn(join(folder, 'before.pdf'), before, page),
      drawn(join(folder, 'after.pdf'), after, page),
    ])
    return one && other ? looksSame(one, other) : null
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A picture in the form PPM, 72 pixels an inch; null when there is none. */
async function drawn(path: string, bytes: Uint8Array, page: number): Promise<Buffer | null> {
  await writeFile(path, bytes)
  const arguments_ = ['-r', '72', '-f', String(page), '-l', String(page), path]
  const limits = { encoding: 'buffer', timeout: 30_000, maxBuffer: 256 * 1024 * 1024 } as const
  return new Promise((resolve) => {
    execFile('pdftoppm', arguments_, limits, (error, stdout) => {
      resolve(error || stdout.length === 0 ? null : stdout)
    })
  })
}

/** Of 255 in any colour, as with the first renderer. */
const tolerance = 8

/** The headers name the size: where they differ, so do bytes. */
function looksSame(one: Buffer, other: Buffer): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) {
    if (Math.abs((one[at] ?? 0) - (other[at] ?? 0)) > tolerance) return false
  }
  return true
}
