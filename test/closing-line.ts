import type { Reporter, TestCase } from 'vitest/node'

/** Ends the run with one plain line that any continuous integration reads: `N passed, N failed, N skipped`. */
export class ClosingLine implements Reporter {
  #passed = 0
  #failed = 0
  #skipped = 0

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result()
    if (state === 'passed') this.#passed++
    if (state === 'failed') this.#failed++
    if (state === 'skipped') this.#skipped++
  }

  onTestRunEnd(
    modules: ReadonlyArray<{ errors(): unknown[] }>,
    unhandledErrors: readonly unknown[],
  ): void {
    const broken = modules.filter((module) => module.errors().length > 0).length
    const failed = this.#failed + broken + unhandledErrors.length
    process.stdout.write(`\n${this.#passed} passed, ${failed} failed, ${this.#skipped} skipped\n`)
  }
}
