/** Going through the content of a document's pages would take more steps than any document needs. */
export class ContentBudgetError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ContentBudgetError'
  }
}

/** What may be executed of one document: a few seconds' work, the same on every machine. */
const maxSteps = 40_000_000

/**
 * Counts operators and shown bytes over all pages of one document. Forms may draw forms, each of them many times: without a
 * budget, a file of a kilobyte could ask for any number of operators.
 */
export class ContentBudget {
  #remaining: number

  constructor(steps = maxSteps) {
    this.#remaining = steps
  }

  /** @throws {ContentBudgetError} when the budget is used up */
  spend(steps: number): void {
    this.#remaining -= steps
    if (this.#remaining < 0) {
      throw new ContentBudgetError('The content of the pages takes more steps than allowed')
    }
  }
}
