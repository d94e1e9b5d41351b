import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { printFigures } from './figures.ts'
import { readOptions } from './options.ts'
import { processLosses } from './proof/leftovers.ts'
import { runTorture } from './run-torture.ts'
import { startTorturedService } from './service.ts'

/**
 * Proves that nothing is lost: customers submit documents and receive webhooks while processes are killed and frozen,
 * the database is ended hard, and the storage and the receiver fail for a while. Everything is on loopback and in a
 * temporary directory.
 */
const options = readOptions(process.argv.slice(2))
const directory = await realpath(await mkdtemp(join(tmpdir(), 'pdfnorm-torture-')))
say(`seed ${options.seed}; logs in ${join(directory, 'logs')}`)

const service = await startTorturedService(directory, options.storage)
const figures = await runTorture(service, options, say).catch(async (error: unknown) => {
  await service.stop()
  throw error
})
figures.losses.push(...(await service.stop()))
// Normalizer processes notice by their closed channel that nobody is there for them.
await delay(1000)
figures.losses.push(...(await processLosses(directory)))

printFigures(say, figures)
const failed = figures.losses.length > 0
if (failed || options.keep) say(`logs and data stay in ${directory}`)
else await rm(directory, { recursive: true, force: true, maxRetries: 20 })
process.exit(failed ? 1 : 0)

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
