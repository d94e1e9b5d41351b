import { setTimeout as delay } from 'node:timers/promises'
import type { Dice } from './dice.ts'
import { drawFault, type FaultKind } from './fault.ts'
import type { TortureOptions } from './options.ts'
import type { TorturedService } from './service.ts'

/** Faults that hold at the same time. */
const mostAtOnce = 4

/**
 * Lets faults happen until the time is over, and waits until all of them are.
 *
 * @param say told of each as it happens
 * @returns how many there were of each kind
 */
export async function storm(
  dice: Dice,
  service: TorturedService,
  { seconds, faults, kinds }: TortureOptions,
  say: (line: string) => void,
): Promise<Map<FaultKind, number>> {
  const counts = new Map<FaultKind, number>()
  const going = new Map<string, Promise<void>>()
  const startedAt = Date.now()
  const endsAt = startedAt + seconds * 1000
  let drawn = 0

  for (;;) {
    const waitMs = dice.between(200, 2000)
    await delay(Math.max(0, Math.min(waitMs, endsAt - Date.now())))
    if (Date.now() >= endsAt || drawn >= faults) break
    const fault = going.size < mostAtOnce ? drawFault(dice, service, kinds) : null
    if (fault === null || going.has(fault.target)) continue
    drawn += 1
    counts.set(fault.kind, (counts.get(fault.kind) ?? 0) + 1)
    say(`${((Date.now() - startedAt) / 1000).toFixed(1)} s: ${fault.kind} (${fault.target})`)
    going.set(
      fault.target,
      fault.run().finally(() => going.delete(fault.target)),
    )
  }
  await Promise.all(going.values())
  await delay(Math.max(0, endsAt - Date.now()))
  return counts
}
