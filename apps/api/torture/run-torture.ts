import { type Customer, registerCustomers } from './customer.ts'
import { throwDice } from './dice.ts'
import type { Figures } from './figures.ts'
import { Load, type LoadReport } from './load.ts'
import type { TortureOptions } from './options.ts'
import { artifactLosses } from './proof/artifacts.ts'
import { batchLosses } from './proof/batches.ts'
import { eventLosses } from './proof/events.ts'
import { jobLosses, sweepStaged } from './proof/leftovers.ts'
import { objectLosses } from './proof/objects.ts'
import { quotaLosses } from './proof/quota.ts'
import { readSubmissions } from './proof/records.ts'
import { submissionLosses } from './proof/submissions.ts'
import type { TorturedService } from './service.ts'
import { settle } from './settle.ts'
import { storm } from './storm.ts'
import { installWatch, Sampling, watchLosses } from './watch.ts'

/** Load and faults, then quiet, then the proof. What was lost is in the figures. */
export async function runTorture(
  service: TorturedService,
  options: TortureOptions,
  say: (line: string) => void,
): Promise<Figures> {
  const { database } = service
  await installWatch(database)
  const customers = await registerCustomers(service)
  const sampling = new Sampling(database)
  const load = new Load(service, customers, options.seed)

  const faults = await storm(throwDice(options.seed), service, options, say)
  say('the faults are over')
  const settlingSince = performance.now()
  await load.stop()
  const unfinished = await settle(database, options.settleSeconds * 1000)
  const settledSeconds = (performance.now() - settlingSince) / 1000
  await sampling.stop()

  const proven = await prove(service, customers, load.report, sampling)
  if (unfinished !== null) proven.losses.push(`still going on: ${JSON.stringify(unfinished)}`)
  return { options, customers, faults, settledSeconds, report: load.report, ...proven }
}

async function prove(
  service: TorturedService,
  customers: readonly Customer[],
  report: LoadReport,
  sampling: Sampling,
) {
  const { database, receiver, apis, workers } = service
  const [url] = service.urls
  const rows = await readSubmissions(database)
  const watched = await watchLosses(database, customers, sampling)
  const artifacts = await artifactLosses(url, customers, rows)
  const events = await eventLosses(database, receiver, customers, rows)
  const objects = await objectLosses(service)
  const losses = [
    ...report.complaints,
    ...submissionLosses(report.errands, rows),
    ...(await quotaLosses(database, customers, rows)),
    ...watched.losses,
    ...artifacts.losses,
    ...objects.losses,
    ...events.losses,
    ...(await batchLosses(url, receiver, report, rows)),
    ...(await jobLosses(database)),
  ]
  const swept = await sweepStaged(service)
  losses.push(...swept.losses, ...[...apis, ...workers].flatMap((each) => each.endsOfItsOwn))
  return {
    rows,
    watched,
    samples: sampling.samples,
    artifacts: artifacts.checked,
    originals: objects.originals,
    events,
    staged: swept.staged,
    losses,
  }
}
