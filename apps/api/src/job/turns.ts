/** Groups of one round that are remembered; a longer round just starts anew. */
const longestRound = 1000

/**
 * Whose turn it is: in each round every organization with waiting jobs gets one job taken, so one
 * with ten thousand does not hold up one with a single job.
 */
export class Turns {
  readonly #served = new Set<string>()

  taken(group: string | null): void {
    if (group === null) return
    if (this.#served.size >= longestRound) this.#served.clear()
    this.#served.add(group)
  }

  /** The groups to pass over, in the order of attempts: first those served in this round, then none. */
  *waiting(): Generator<string[]> {
    if (this.#served.size > 0) yield [...this.#served]
    this.#served.clear()
    yield []
  }
}
