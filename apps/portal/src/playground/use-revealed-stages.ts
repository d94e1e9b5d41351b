import { useReducedMotion } from '@mantine/hooks'
import type { Report } from '@pdfnorm/contracts/schema/report'
import { useEffect, useState } from 'react'

/** How long a stage is seen at work at least and at most, in milliseconds. */
const leastMs = 50
const mostMs = 400

/**
 * Shows the stages one after another, in the time that each of them took: the service tells of them together. Who wants
 * no motion sees them at once.
 */
export function useRevealedStages(stages: Report['stages'] | undefined): {
  stages: Report['stages'] | undefined
  running: number | null
} {
  const isStill = useReducedMotion(true, { getInitialValueInEffect: false })
  const [shown, setShown] = useState(0)
  const next = stages?.[shown]
  useEffect(() => {
    if (next === undefined) return undefined
    const timer = setTimeout(
      () => setShown((count) => count + 1),
      Math.min(mostMs, Math.max(leastMs, next.durationMs)),
    )
    return () => clearTimeout(timer)
  }, [next])
  useEffect(() => setShown(0), [stages])

  if (stages === undefined || isStill) return { stages, running: null }
  return { stages: stages.slice(0, shown), running: shown < stages.length ? shown : null }
}
