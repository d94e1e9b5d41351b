import { tamperSeverities } from '@pdfnorm/contracts/schema/tamper-analysis'
import { table } from '../trial/table.ts'
import { examinedFacts } from './examined-facts.ts'
import type { TrustGrade } from './trust-facts.ts'

interface Bar {
  readonly what: string
  readonly value: string
  readonly holds: boolean
}

/** Files of these kinds have by their making what an anomaly is: they are told and held to no bar. */
const madeStrange = new Set([
  'damaged',
  'header/EOF anomalies',
  'bombs/hang risks',
  'not-a-pdf',
  'signed-invalid',
])

/** What the findings must keep to (issue 4). */
const bars = { verdicts: 0.98, signedAlarms: 0.01, unsignedAlarms: 0.005 }

export function trustBars(grades: readonly TrustGrade[]): Bar[] {
  const verdicts = grades.flatMap((grade) => grade.verdicts)
  const right = verdicts.filter(({ agrees }) => agrees).length
  const fooled = verdicts.filter((verdict) => verdict.fooled).length
  const attacks = grades.filter(({ attack }) => attack !== null)
  const found = attacks.filter(({ attack }) => attack === 'found').length
  const [signed, unsigned] = ordinary(grades)
  const faults = grades.filter(({ refused }) => refused !== null && isFault(refused)).length
  return [
    {
      what: 'verdicts on signatures right',
      value: share(right, verdicts.length),
      holds: right >= verdicts.length * bars.verdicts,
    },
    { what: 'invalid signatures called valid', value: String(fooled), holds: fooled === 0 },
    {
      what: 'attacks found',
      value: share(found, attacks.length),
      holds: found === attacks.length,
    },
    alarmBar('false alarms, ordinary signed files', signed, bars.signedAlarms),
    alarmBar('false alarms, ordinary unsigned files', unsigned, bars.unsignedAlarms),
    { what: 'files that break the analysis', value: String(faults), holds: faults === 0 },
  ]
}

export function trustText(grades: readonly TrustGrade[]): string {
  const marked = trustBars(grades).map(({ what, value, holds }) => [holds ? '✓' : '✗', what, value])
  const strange = grades.filter(({ file, falseAlarm }) => falseAlarm && isMadeStrange(file))
  const [signed, unsigned] = ordinary(grades).map((some) =>
    some.filter(({ falseAlarm }) => falseAlarm),
  )
  const alarm = ({ file, anomalies }: TrustGrade): string[] => [
    file.file,
    ...anomalies.map(
      ({ type, severity, description, location }) =>
        `    ${severity} ${type} ${description} (${location ?? 'nowhere'})`,
    ),
  ]
  return [
    table([
      ['category', 'files', 'verdicts', 'right', 'attacks', 'found', 'alarms'],
      ...categories(grades),
    ]),
    ...section('Verdicts on signatures that differ', grades.flatMap(wrongLines)),
    ...section('Where the manifest was examined', grades.flatMap(examinedLines)),
    ...section('Attacks that were missed', grades.filter(isMissed).flatMap(alarm)),
    ...section('False alarms, signed', (signed ?? []).flatMap(alarm)),
    ...section('False alarms, unsigned', (unsigned ?? []).flatMap(alarm)),
    ...section('Alarms on files that were made strange', strange.flatMap(alarm)),
    ...section('Without an answer', grades.flatMap(refusal)),
    '',
    table([['anomaly', ...tamperSeverities], ...anomalyRows(grades)]),
    '',
    table([['', 'bar', ''], ...marked]),
  ].join('\n')
}

/** One line for each file, for scripts. */
export function trustLine({ file, ...grade }: TrustGrade): string {
  const { file: name, category } = file
  return JSON.stringify({ file: name, category, ...grade })
}

function ordinary(grades: readonly TrustGrade[]): [TrustGrade[], TrustGrade[]] {
  const some = grades.filter(({ file, falseAlarm }) => falseAlarm !== null && !isMadeStrange(file))
  return [some.filter(isSigned), some.filter((grade) => !isSigned(grade))]
}

function isMadeStrange({ category }: TrustGrade['file']): boolean {
  return madeStrange.has(category)
}

function isSigned({ file, status }: TrustGrade): boolean {
  return status !== 'NONE' || (file.signatures?.count ?? 0) > 0
}

function alarmBar(what: string, files: readonly TrustGrade[], most: number): Bar {
  const alarms = files.filter(({ falseAlarm }) => falseAlarm).length
  return { what, value: share(alarms, files.length), holds: alarms <= files.length * most }
}

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(2)} %)`
}

function categories(grades: readonly TrustGrade[]): (string | number)[][] {
  return [...Map.groupBy(grades, ({ file }) => file.category)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([category, members]) => {
      const verdicts = members.flatMap((grade) => grade.verdicts)
      return [
        category,
        members.length,
        verdicts.length,
        verdicts.filter(({ agrees }) => agrees).length,
        members.filter(({ attack }) => attack !== null).length,
        members.filter(({ attack }) => attack === 'found').length,
        members.filter(({ falseAlarm }) => falseAlarm).length,
      ]
    })
}

/** How many files have it, each file counted once for each type by its gravest. */
function anomalyRows(grades: readonly TrustGrade[]): (string | number)[][] {
  const counts = new Map<string, number[]>()
  for (const { anomalies } of grades) {
    for (const [type, some] of Map.groupBy(anomalies, (anomaly) => anomaly.type)) {
      const gravest = Math.max(...some.map(({ severity }) => tamperSeverities.indexOf(severity)))
      const row = counts.get(type) ?? tamperSeverities.map(() => 0)
      row[gravest] = (row[gravest] ?? 0) + 1
      counts.set(type, row)
    }
  }
  return [...counts]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([type, row]) => [type, ...row])
}

function wrongLines({ file, verdicts }: TrustGrade): string[] {
  return verdicts
    .filter(({ agrees }) => !agrees)
    .map(({ fact, truth, ours }) => `${file.file}: ${fact} is ${truth}, we say ${ours}`)
}

function examinedLines({ file }: TrustGrade): string[] {
  return examinedFacts
    .filter((examined) => examined.file === file.file)
    .map(({ fact, truth, why }) => `${file.file}: ${fact} is ${String(truth)}: ${why}`)
}

function isMissed({ attack }: TrustGrade): boolean {
  return attack === 'missed'
}

function refusal({ file, refused }: TrustGrade): string[] {
  return refused === null || refused === 'encrypted' ? [] : [`${file.file}: ${refused}`]
}

/** Refusals that a document can deserve have a name of their own. */
function isFault(refused: string): boolean {
  return !/^(encrypted|MalformedPdfError|ResourceLimitError)/.test(refused)
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? ['', `${title}: none`] : ['', title, ...lines.map((l) => `  ${l}`)]
}
