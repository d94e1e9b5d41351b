import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { type Corpus, type CorpusFile, openCorpus } from '../test/corpus-files.ts'
import { progressOf } from '../trial/progress.ts'
import { createWatchedPool } from '../trial/watched-pool.ts'
import { type FileGrade, gradeFile } from './grade-file.ts'
import { gradeReport, passes, reportText } from './grade-report.ts'

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    /** Only files whose name or category has this text. */
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

const corpus = openCorpus(values.corpus)
if (corpus === null) {
  process.stderr.write('grade: no corpus with a manifest.jsonl; name its folder with --corpus\n')
  process.exitCode = 2
} else {
  const { only } = values
  const files = corpus.files.filter(
    ({ file, category }) => only === undefined || `${file} ${category}`.includes(only),
  )
  const report = gradeReport(await gradeAll(corpus, files))
  const text = values.json ? JSON.stringify(report, null, 2) : reportText(report)
  process.stdout.write(`${text}\n`)
  process.exitCode = passes(report) ? 0 : 1
}

async function gradeAll(corpus: Corpus, files: readonly CorpusFile[]): Promise<FileGrade[]> {
  const pool = createWatchedPool()
  const folder = await mkdtemp(join(tmpdir(), 'pdfnorm-grade-'))
  const progress = progressOf(files.length)
  try {
    return await pLimit(pool.threads).map(files, async (file) => {
      const grade = await gradeFile(pool, file, corpus.read(file), folder)
      progress.step()
      return grade
    })
  } finally {
    progress.end()
    await rm(folder, { recursive: true })
    await pool.close()
  }
}
