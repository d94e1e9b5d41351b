import { table } from '../trial/table.ts'
import type { PdfaGrade } from './pdfa-facts.ts'
import type { ExternalVerdict } from './pdfa-verapdf.ts'

/** A grade, and what veraPDF says of the same file and of what the pipeline made of it, where it was asked. */
export interface ComparedGrade extends PdfaGrade {
  /** Null where it was not asked or gave no verdict. */
  readonly verapdf: ExternalVerdict | null
  /** In the order of the outputs. */
  readonly verapdfOfOutputs: readonly (ExternalVerdict | null)[]
}

interface Bar {
  readonly what: string
  readonly value: string
  readonly holds: boolean
}

/** What the validator must keep to (issue 8). */
const bars = { agreement: 0.97, falseFailures: 0.01, clauses: 0.95 }

export function pdfaBars(grades: readonly ComparedGrade[]): Bar[] {
  const agreed = grades.filter(({ agrees }) => agrees).length
  const passes = grades.filter(({ truth }) => truth === 'pass')
  const falseFailures = passes.filter(({ agrees }) => !agrees).length
  const clauses = grades.filter(({ clauseNamed }) => clauseNamed !== null)
  const named = clauses.filter(({ clauseNamed }) => clauseNamed).length
  const complaints = grades.flatMap(complaintsOf).length
  const unfinished = grades.filter(({ verdict }) => verdict.fault !== undefined).length
  return [
    {
      what: 'verdicts right',
      value: share(agreed, grades.length),
      holds: agreed >= grades.length * bars.agreement,
    },
    {
      what: 'false failures',
      value: share(falseFailures, passes.length),
      holds: falseFailures <= passes.length * bars.falseFailures,
    },
    {
      what: 'clause of the failure named',
      value: share(named, clauses.length),
      holds: named >= clauses.length * bars.clauses,
    },
    {
      what: 'outputs that lost compliance or claim falsely',
      value: String(complaints),
      holds: complaints === 0,
    },
    { what: 'files that break the validator', value: String(unfinished), holds: unfinished === 0 },
  ]
}

export function pdfaText(grades: readonly ComparedGrade[]): string {
  const marked = pdfaBars(grades).map(({ what, value, holds }) => [holds ? '✓' : '✗', what, value])
  return [
    table([
      ['flavour', 'files', 'right', 'false failures', 'missed', 'clauses', 'named'],
      ...flavourRows(grades),
    ]),
    ...section(
      'False failures',
      grades.filter(({ truth, agrees }) => truth === 'pass' && !agrees).flatMap(errorLines),
    ),
    ...section(
      'Failures that were missed',
      grades
        .filter(({ truth, agrees }) => truth === 'fail' && !agrees)
        .map(({ file, flavour }) => `${file.file}: ${flavour} ${file.pdfa?.clause ?? ''}`),
    ),
    ...section(
      'Failures of another clause',
      grades
        .filter(({ agrees, clauseNamed }) => agrees && clauseNamed === false)
        .map(
          ({ file, flavour, rules }) =>
            `${file.file}: ${flavour} ${file.pdfa?.clause ?? ''}, we say ${rules.join(', ')}`,
        ),
    ),
    ...section('Outputs', grades.flatMap(complaintsOf)),
    ...section(
      'Without a verdict',
      grades.filter(({ verdict }) => !verdict.completed).flatMap(errorLines),
    ),
    ...verapdfSections(grades),
    '',
    table([['', 'bar', ''], ...marked]),
  ].join('\n')
}

/** One line for each file, for scripts. */
export function pdfaLine({ file, outputs, verdict, ...grade }: ComparedGrade): string {
  const made = outputs.map(({ bytes, ...output }) => ({ ...output, size: bytes?.length ?? null }))
  const { file: name, category } = file
  return JSON.stringify({ file: name, category, ...grade, errors: verdict.errors, outputs: made })
}

function verapdfSections(grades: readonly ComparedGrade[]): string[] {
  const compared = grades.filter(({ verapdf }) => verapdf !== null)
  if (compared.length === 0) return []
  const differences = compared.flatMap(({ file, flavour, rules, verapdf }) => {
    const told = differenceOf(rules, verapdf?.rules ?? [])
    return told === null ? [] : [`${file.file}: ${flavour} ${told}`]
  })
  return [
    '',
    `veraPDF gave a verdict on ${compared.length}: the same ${compared.filter(isSameVerdict).length}`,
    ...section('Rules on which veraPDF says otherwise', differences),
    ...section('Outputs on which veraPDF says otherwise', grades.flatMap(outputDifferences)),
  ]
}

function isSameVerdict({ verdict, verapdf }: ComparedGrade): boolean {
  return verdict.compliant === verapdf?.compliant
}

function outputDifferences({ file, outputs, verapdfOfOutputs }: ComparedGrade): string[] {
  return outputs.flatMap(({ options, claimed, rules }, index) => {
    const verapdf = verapdfOfOutputs[index]
    const told = verapdf ? differenceOf(rules, verapdf.rules) : null
    return told === null ? [] : [`${file.file} (${options}): ${claimed ?? ''} ${told}`]
  })
}

function differenceOf(ours: readonly string[], theirs: readonly string[]): string | null {
  const missed = theirs.filter((rule) => !ours.includes(rule))
  const extra = ours.filter((rule) => !theirs.includes(rule))
  if (missed.length === 0 && extra.length === 0) return null
  return [
    ...(missed.length === 0 ? [] : [`misses ${missed.join(', ')}`]),
    ...(extra.length === 0 ? [] : [`has ${extra.join(', ')} too much`]),
  ].join('; ')
}

function complaintsOf({ file, outputs }: PdfaGrade): string[] {
  return outputs.flatMap(({ options, complaint }) =>
    complaint === null ? [] : [`${file.file} (${options}): ${complaint}`],
  )
}

function errorLines({ file, flavour, verdict }: PdfaGrade): string[] {
  const { errors, fault } = verdict
  const told = errors.slice(0, 3).map((error) => `    ${error}`)
  return [`${file.file}: ${flavour}`, ...told, ...(fault === undefined ? [] : [`    ${fault}`])]
}

function flavourRows(grades: readonly PdfaGrade[]): (string | number)[][] {
  return [...Map.groupBy(grades, ({ flavour }) => flavour)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([flavour, members]) => {
      const wrong = members.filter(({ agrees }) => !agrees)
      const clauses = members.filter(({ clauseNamed }) => clauseNamed !== null)
      return [
        flavour,
        members.length,
        members.length - wrong.length,
        wrong.filter(({ truth }) => truth === 'pass').length,
        wrong.filter(({ truth }) => truth === 'fail').length,
        clauses.length,
        clauses.filter(({ clauseNamed }) => clauseNamed).length,
      ]
    })
}

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(2)} %)`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? ['', `${title}: none`] : ['', title, ...lines.map((l) => `  ${l}`)]
}
