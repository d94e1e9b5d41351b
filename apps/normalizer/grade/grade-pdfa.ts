import { parseArgs } from 'node:util'
import { openCorpus } from '../test/corpus-files.ts'
import { progressOf } from '../trial/progress.ts'
import { gradePdfa, type PdfaGrade } from './pdfa-facts.ts'
import { type ComparedGrade, pdfaBars, pdfaLine, pdfaText } from './pdfa-report.ts'
import { type ExternalVerdict, verdictsOfVerapdf } from './pdfa-verapdf.ts'

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
  const files = corpus.files.filter(
    ({ file, category, pdfa }) =>
      typeof pdfa?.corpus_verdict === 'string' && `${file} ${category}`.includes(values.only),
  )
  const progress = progressOf(files.length)
  const grades: PdfaGrade[] = []
  for (const file of files) {
    grades.push(await gradePdfa(file, corpus.read(file)))
    progress.step()
  }
  progress.end()
  const compared = compare(grades, (grade) => corpus.read(grade.file))
  if (values.ndjson) process.stdout.write(compared.map((grade) => `${pdfaLine(grade)}\n`).join(''))
  else process.stdout.write(`${pdfaText(compared)}\n`)
  process.exitCode = pdfaBars(compared).every(({ holds }) => holds) ? 0 : 1
}

/** With veraPDF, if the variable VERAPDF says where its program is. */
function compare(
  grades: readonly PdfaGrade[],
  bytesOf: (grade: PdfaGrade) => Uint8Array,
): ComparedGrade[] {
  const executable = process.env['VERAPDF']
  if (executable === undefined || executable === '') {
    process.stderr.write(
      'grade: not compared with veraPDF, for VERAPDF does not name its program\n',
    )
    return grades.map((grade) => ({ ...grade, verapdf: null, verapdfOfOutputs: [] }))
  }
  const inputs = grades.map((grade) => ({ bytes: bytesOf(grade), flavour: grade.flavour }))
  const outputs = grades.flatMap((grade) =>
    grade.outputs.flatMap(({ bytes, claimed }) =>
      bytes === null || claimed === null ? [] : [{ bytes, flavour: claimed }],
    ),
  )
  const verdicts = verdictsOfVerapdf(executable, inputs)
  const ofOutputs = verdictsOfVerapdf(executable, outputs).values()
  const next = (): ExternalVerdict | null => ofOutputs.next().value ?? null
  return grades.map((grade, index) => ({
    ...grade,
    verapdf: verdicts[index] ?? null,
    verapdfOfOutputs: grade.outputs.map(({ bytes, claimed }) =>
      bytes === null || claimed === null ? null : next(),
    ),
  }))
}
