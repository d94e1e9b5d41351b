import { setTimeout as delay } from 'node:timers/promises'
import type { Dice } from './dice.ts'
import type { KeptProcess } from './kept-process.ts'
import type { ReceiverMood } from './receiver.ts'
import type { TorturedService } from './service.ts'

/** Something that goes wrong, and is well again when it has run. */
export interface Fault {
  kind: FaultKind
  /** What it happens to: two faults at once do not meet at one. */
  target: string
  run(): Promise<void>
}

export function drawFault(
  dice: Dice,
  service: TorturedService,
  kinds: readonly FaultKind[],
): Fault {
  const kind = pickOf(dice, kinds)
  return { kind, ...repertoire[kind](service, dice) }
}

type DrawFault = (service: TorturedService, dice: Dice) => Omit<Fault, 'kind'>

/** How long something is away, in milliseconds; a process takes its start besides. */
const away = (dice: Dice) => dice.between(0, 4000)

/** Often longer than a lease of a run and than a heartbeat of the queue. */
const frozen = (dice: Dice) => dice.between(1000, 30_000)

const repertoire = {
  'api-killed': ({ apis }, dice) => restart(pickOf(dice, apis), 'SIGKILL', away(dice)),
  'api-replaced': ({ apis }, dice) => restart(pickOf(dice, apis), 'SIGTERM', away(dice)),
  'api-frozen': ({ apis }, dice) => freeze(pickOf(dice, apis), frozen(dice)),
  'worker-killed': ({ workers }, dice) => restart(pickOf(dice, workers), 'SIGKILL', away(dice)),
  'worker-replaced': ({ workers }, dice) => restart(pickOf(dice, workers), 'SIGTERM', away(dice)),
  'worker-frozen': ({ workers }, dice) => freeze(pickOf(dice, workers), frozen(dice)),
  // PostgreSQL's immediate shutdown: it recovers when it starts again.
  'database-stopped': (service, dice) => endDatabase(service, 'SIGQUIT', away(dice)),
  'database-killed': (service, dice) => endDatabase(service, 'SIGKILL', away(dice)),
  'storage-failing': ({ storage }, dice) => {
    const forMs = 3 * away(dice)
    return {
      target: 'storage',
      async run() {
        await storage.fail()
        await delay(forMs)
        await storage.heal()
      },
    }
  },
  'receiver-refusing': (service, dice) => upset(service, 'refusing', away(dice)),
  'receiver-hanging': (service, dice) => upset(service, 'hanging', away(dice)),
  'receiver-closed': (service, dice) => upset(service, 'closed', away(dice)),
} as const satisfies Record<string, DrawFault>

export type FaultKind = keyof typeof repertoire
export const faultKinds = Object.keys(repertoire) as FaultKind[]

function restart(process: KeptProcess, signal: NodeJS.Signals, awayMs: number) {
  return { target: process.name, run: () => process.restart(signal, awayMs) }
}

function freeze(process: KeptProcess, forMs: number) {
  return { target: process.name, run: () => process.freeze(forMs) }
}

function endDatabase({ database }: TorturedService, signal: 'SIGQUIT' | 'SIGKILL', awayMs: number) {
  const run = () => database.process.restart(() => database.kill(signal), awayMs)
  return { target: database.process.name, run }
}

function upset({ receiver }: TorturedService, mood: ReceiverMood, awayMs: number) {
  return {
    target: 'receiver',
    async run() {
      await receiver.feel(mood)
      await delay(2 * awayMs)
      await receiver.feel('well')
    },
  }
}

function pickOf<T>(dice: Dice, items: readonly T[]): T {
  const [first, ...others] = items
  if (first === undefined) throw new Error('There is nothing to choose from')
  return dice.pick([first, ...others])
}
