import { parseArgs } from 'node:util'
import { type FaultKind, faultKinds } from './fault.ts'

export interface TortureOptions {
  /** Of load and faults; what was begun is carried to its end afterwards. */
  seconds: number
  /** Decides documents, faults and their times; what meets what is the machine's. */
  seed: number
  /** Faults at most. */
  faults: number
  kinds: readonly FaultKind[]
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
      'settle-seconds': { type: 'string', default: '180' },
      keep: { type: 'boolean', default: false },
    },
  })
  return {
    seconds: wholeNumber('seconds', values.seconds),
    seed: wholeNumber('seed', values.seed),
    faults: wholeNumber('faults', values.faults),
    kinds: kindsOf(values.kinds),
    settleSeconds: wholeNumber('settle-seconds', values['settle-seconds']),
    keep: values.keep,
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`--${name} takes a whole number, not ${text}`)
}

function kindsOf(text: string): FaultKind[] {
  return text.split(',').map((name) => {
    const kind = faultKinds.find((known) => known === name)
    if (kind === undefined) throw new Error(`--kinds takes some of ${faultKinds.join(',')}`)
    return kind
  })
}
