/** Going through the content of a document's pages would take longer than any document needs. */
export class ContentBudgetError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ContentBudgetError'
  }
}

/** A few seconds' work, whatever the size of the file. */
const baseBytes = 64 * 1024 * 1024
/** Content is deflated to a tenth at best, and large files may take longer. */
const bytesPerByte = 16
/**
 * Counts what is executed of one document and read of its fonts, in bytes of content, each time that it is. Pages and fonts may
 * share streams, and forms may draw forms, each of them many times: without a budget, a file of a kilobyte could ask for
 * any number of operators.
 */
export class ContentBudget {
  #remaining: number

  /** @param fileBytes size of the document's file */
  constructor(fileBytes = 0) {
    this.#remaining = baseBytes + bytesPerByte * fileBytes
  }

  /** @throws {ContentBudgetError} when the budget is used up */
  spend(bytes: number): void {
    this.#remaining -= bytes
    if (this.#remaining < 0) {
      throw new ContentBudgetError('The pages have more content than can be executed')
    }
  }
}
