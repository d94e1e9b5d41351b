import { parseArgs } from 'node:util'
import { openCorpus } from '../test/corpus-files.ts'
import { progressOf } from '../trial/progress.ts'
import { gradeTrust, type TrustGrade } from './trust-facts.ts'
import { trustBars, trustLine, trustText } from './trust-report.ts'

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    /** Only files whose name or category has this text. */
    only: { type: 'string', default: '' },
    ndjson: { type: 'boolean', default: false },
  },
})

const corpus = openCorpus(values.corpus)
if (corpus === null) {
  process.stderr.write('grade: no corpus with a manifest.jsonl; name its folder with --corpus\n')
  process.exitCode = 2
} else {
  const files = corpus.files.filter(({ file, category }) =>
    `${file} ${category}`.includes(values.only),
  )
  const progress = progressOf(files.length)
  const grades: TrustGrade[] = []
  for (const file of files) {
    const grade = await gradeTrust(file, corpus.read(file))
    grades.push(grade)
    if (values.ndjson) process.stdout.write(`${trustLine(grade)}\n`)
    progress.step()
  }
  progress.end()
  if (!values.ndjson) process.stdout.write(`${trustText(grades)}\n`)
  process.exitCode = trustBars(grades).every(({ holds }) => holds) ? 0 : 1
}
