import { plans } from '@pdfnorm/contracts/schema/plan'
import type { Customer } from './customer.ts'
import type { FaultKind } from './fault.ts'
import type { LoadReport } from './load.ts'
import type { TortureOptions } from './options.ts'
import type { EventFigures } from './proof/events.ts'
import type { SubmissionRow } from './proof/records.ts'
import { wasGivenUp } from './proof/submissions.ts'

export interface Figures {
  options: TortureOptions
  settledSeconds: number
  report: LoadReport
  rows: ReadonlyMap<string, SubmissionRow>
  customers: readonly Customer[]
  faults: ReadonlyMap<FaultKind, number>
  watched: { highest: ReadonlyMap<string, number>; starts: number }
  samples: number
  /** Artifacts whose bytes, report and attestation were looked at. */
  artifacts: number
  originals: number
  events: EventFigures
  /** Files of uploads that died with their process. */
  staged: number
  losses: string[]
}

export function printFigures(say: (line: string) => void, figures: Figures): void {
  const { options, report, rows, events, losses, customers } = figures
  const { errands } = report
  const answered = (status: 200 | 202) => errands.filter((errand) => errand.accepted === status)
  const accepted = answered(200).length + answered(202).length
  const all = [...rows.values()]
  const ended = (status: string) => all.filter((row) => row.status === status).length

  say('')
  say(
    `load      ${accepted} documents of ${customers.length} organizations in ${options.seconds} s ` +
      `(${(accepted / options.seconds).toFixed(1)} a second): ${answered(200).length} answered ` +
      `200, ${answered(202).length} answered 202, ${errands.filter(({ refused }) => refused).length} ` +
      `refused with 402; ${report.cuts} clients went away, ${report.replays} answers were repeated`,
  )
  say(`retried   ${listed(report.failures)}`)
  say(
    `ended     ${ended('SUCCESS')} SUCCESS, ${ended('REJECTED')} REJECTED, ${ended('FAILED')} FAILED ` +
      `(of these ${all.filter(wasGivenUp).length} after three lost runs); ` +
      `${all.filter(({ attempts }) => attempts > 1).length} needed more than one run; ` +
      `settled after ${figures.settledSeconds.toFixed(0)} s`,
  )
  say(`survived  ${listed(figures.faults)}`)
  say(
    `at once   ${customers.map((customer) => highestOf(customer, figures)).join(', ')} ` +
      `(${figures.watched.starts} starts, ${figures.samples} samples)`,
  )
  say(
    `events    ${events.delivered} arrived, ${events.moreThanOnce} of them more than once; ` +
      `${events.dead} dead letters; ${report.batches.length} batches`,
  )
  say(
    `checked   ${figures.artifacts} artifacts, ${figures.originals} originals; ` +
      `${figures.staged} staged files were swept`,
  )
  for (const loss of losses.slice(0, 50)) say(`LOST      ${loss}`)
  say(`losses    ${losses.length}`)
}

function highestOf({ id, name, planTier }: Customer, { watched }: Figures): string {
  return `${name} ${watched.highest.get(id) ?? 0} of ${plans[planTier].concurrentJobs}`
}

function listed(counts: ReadonlyMap<string, number>): string {
  const byName = [...counts].toSorted(([one], [other]) => one.localeCompare(other))
  const parts = byName.map(([name, count]) => `${count} ${name}`)
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}
