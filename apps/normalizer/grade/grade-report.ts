import type { CorpusFile } from '../test/corpus-files.ts'
import { table } from '../trial/table.ts'
import type { Complaint } from '../trial/judge-output.ts'
import { hasQpdf } from '../trial/qpdf-check.ts'
import { endedByClock } from '../trial/watched-pool.ts'
import type { FileGrade } from './grade-file.ts'
import { codeOf, encryptedByUs, missingFonts } from './manifest-facts.ts'

export interface GradeReport {
  readonly files: number
  readonly outputs: number
  readonly categories: readonly CategoryGrade[]
  readonly summary: readonly SummaryLine[]
  readonly disagreements: readonly FileRemark[]
  readonly complaints: readonly FileRemark[]
  readonly endedByClock: readonly string[]
}

interface CategoryGrade {
  readonly category: string
  readonly files: number
  readonly normalized: number
  readonly facts: number
  readonly agreed: number
}

interface SummaryLine {
  readonly what: string
  readonly value: string
  /** null: for information. */
  readonly holds: boolean | null
}

interface FileRemark {
  readonly file: string
  readonly about: string
  readonly remark: string
}

export function gradeReport(grades: readonly FileGrade[]): GradeReport {
  return {
    files: grades.length,
    outputs: outputsOf(grades),
    categories: categoriesOf(grades),
    summary: summaryOf(grades),
    disagreements: grades.flatMap(({ file: { file }, disagreements }) =>
      disagreements.map(({ fact, manifest, ours }) => ({
        file,
        about: fact,
        remark: `manifest: ${manifest}, we: ${ours}`,
      })),
    ),
    complaints: grades.flatMap(({ file: { file }, complaints }) =>
      complaints.map(({ about, what }) => ({ file, about, remark: what })),
    ),
    endedByClock: grades.filter(({ ending }) => endedByClock(ending)).map(({ file }) => file.file),
  }
}

/** Whether every line holds that must. */
export function passes({ summary }: GradeReport): boolean {
  return summary.every(({ holds }) => holds !== false)
}

export function reportText(report: GradeReport): string {
  const { categories, summary, disagreements, complaints, endedByClock: late } = report
  const rows = categories.map(({ category, files, normalized, facts, agreed }) => [
    category,
    files,
    normalized,
    facts,
    agreed,
    `${((100 * agreed) / Math.max(1, facts)).toFixed(1)} %`.padStart(7),
  ])
  const heading = ['category', 'files', 'normalized', 'facts known', 'agreed', '']
  const mark = (holds: boolean | null): string => (holds === null ? '·' : holds ? '✓' : '✗')
  return [
    table([heading, ...rows]),
    ...section('Disagreements with the manifest', remarks(disagreements)),
    ...section('What must not be', remarks(complaints)),
    ...section('Ended by the clock', late),
    '',
    table([['', 'summary', ''], ...summary.map((l) => [mark(l.holds), l.what, l.value])]),
  ].join('\n')
}

function outputsOf(grades: readonly FileGrade[]): number {
  return grades.reduce((total, { outputs }) => total + outputs, 0)
}

function categoriesOf(grades: readonly FileGrade[]): CategoryGrade[] {
  const byCategory = Map.groupBy(grades, ({ file }) => file.category)
  return [...byCategory]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([category, members]) => {
      const agreed = members.reduce((total, grade) => total + grade.agreed, 0)
      const disagreed = members.reduce((total, grade) => total + grade.disagreements.length, 0)
      const normalized = members.filter((grade) => grade.normalized !== null).length
      return { category, files: members.length, normalized, facts: agreed + disagreed, agreed }
    })
}

function summaryOf(grades: readonly FileGrade[]): SummaryLine[] {
  const outputs = outputsOf(grades)
  const none = (what: string, about: Complaint['about'], of: number): SummaryLine => {
    const count = grades.filter(({ complaints }) =>
      complaints.some((c) => c.about === about),
    ).length
    return { what, value: `${count} of ${of}`, holds: count === 0 }
  }
  const qpdf = (what: string, about: Complaint['about']): SummaryLine =>
    hasQpdf
      ? none(what, about, outputs)
      : { what, value: 'not checked: qpdf is not installed', holds: null }

  return [
    none('files with a crash, a hang or an internal error', 'crash or hang', grades.length),
    none('files with active content left', 'active content', outputs),
    damaged(grades),
    rightAnswers(grades, 'encrypted', (file) => file.encrypted === true, encryptedByUs),
    rightAnswers(grades, 'not a PDF', isNoPdf, (e) => codeOf(e) === 'MALFORMED_PDF'),
    ...fonts(grades),
    none('files whose second run differs', 'determinism', grades.length),
    none('files whose output is not its own normalization', 'idempotence', outputs),
    qpdf('files whose output qpdf --check refuses', 'qpdf --check'),
    {
      ...qpdf('files with broken content in a stream, as it came', 'content of streams'),
      holds: null,
    },
    qpdf('files that qpdf --check-linearization refuses', 'qpdf --check-linearization'),
  ]
}

function isNoPdf({ category }: CorpusFile): boolean {
  return category === 'not-a-pdf'
}

/** At least as many as qpdf opens. */
function damaged(grades: readonly FileGrade[]): SummaryLine {
  const files = grades.filter(
    ({ file }) =>
      (file.categories ?? [file.category]).some((kind) => /damaged|anomalies/.test(kind)) &&
      file.encrypted !== true,
  )
  const ours = files.filter(({ normalized }) => normalized !== null).length
  const qpdfs = files.filter(({ file }) => file.opens_in_qpdf === true).length
  return {
    what: 'damaged files normalized',
    value: `${ours} of ${files.length}, qpdf opens ${qpdfs}`,
    holds: ours >= qpdfs,
  }
}

function rightAnswers(
  grades: readonly FileGrade[],
  what: string,
  belongs: (file: CorpusFile) => boolean,
  isRight: (ending: FileGrade['ending']) => boolean,
): SummaryLine {
  const files = grades.filter(({ file }) => belongs(file))
  const right = files.filter(({ ending }) => isRight(ending)).length
  return {
    what: `${what}: answered right`,
    value: `${right} of ${files.length}`,
    holds: right === files.length,
  }
}

/** poppler lists every font that resources name, also one that shows nothing. */
function fonts(grades: readonly FileGrade[]): SummaryLine[] {
  let listed = 0
  let both = 0
  let onlyOurs = 0
  for (const { file, normalized } of grades) {
    if (!normalized || !file.fonts_not_embedded) continue
    const theirs = new Set(file.fonts_not_embedded)
    const ours = missingFonts(normalized)
    listed += theirs.size
    both += ours.filter((name) => theirs.has(name)).length
    onlyOurs += ours.filter((name) => !theirs.has(name)).length
  }
  return [
    {
      what: 'fonts not embedded that poppler lists and we too',
      value: `${both} of ${listed}`,
      holds: null,
    },
    { what: 'fonts not embedded that only we name', value: String(onlyOurs), holds: null },
  ]
}

function remarks(all: readonly FileRemark[]): string[] {
  const byAbout = [...Map.groupBy(all, ({ about }) => about)]
  return byAbout.flatMap(([about, some]) => [
    `${about} (${some.length})`,
    ...some.map(({ file, remark }) => `  ${file}: ${remark}`),
  ])
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? ['', `${title}: none`] : ['', title, ...lines.map((l) => `  ${l}`)]
}
