import { parseArgs } from 'node:util'
import { type FaultKind, faultKinds } from './fault.ts'
import { type StorageKind, storageKinds } from './storage.ts'

export interface TortureOptions {
  /** Of load and faults; what was begun is carried to its end afterwards. */
  seconds: number
  /** Decides documents, faults and their times; what meets what is the machine's. */
  seed: number
  /** Faults at most. */
  faults: number
  kinds: readonly FaultKind[]
  storage: StorageKind
  /** How long what was begun may take to end. */
  settleSeconds: number
  /** Whether the directory with logs and data stays, also when nothing was lost. */
  keep: boolean
}

/** @throws Error for what is not an option, or has no such value */
export function readOptions(argv: readonly string[]): TortureOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      faults: { type: 'string', default: '1000' },
      kinds: { type: 'string', default: faultKinds.join(',') },
      storage: { type: 'string', default: 'file' },
      'settle-seconds': { type: 'string', default: '180' },
      keep: { type: 'boolean', default: false },
    },
  })
  return {
    seconds: wholeNumber('seconds', values.seconds),
    seed: wholeNumber('seed', values.seed),
    faults: wholeNumber('faults', values.faults),
    kinds: values.kinds.split(',').map((name) => oneOf('kinds', faultKinds, name)),
    storage: oneOf('storage', storageKinds, values.storage),
    settleSeconds: wholeNumber('settle-seconds', values['settle-seconds']),
    keep: values.keep,
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`--${name} takes a whole number, not ${text}`)
}

function oneOf<T extends string>(name: string, choices: readonly T[], text: string): T {
  const chosen = choices.find((choice) => choice === text)
  if (chosen === undefined) throw new Error(`--${name} takes ${choices.join(', ')}, not ${text}`)
  return chosen
}
