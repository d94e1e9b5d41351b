import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

/** A page whose faults are kept: what its program throws, what its policy blocks, what it logs as an error. */
export interface ExaminedPage {
  page: Page
  faults: string[]
}

/** @param expected faults that a test provokes, as a status that is refused */
export async function openExaminedPage(
  context: BrowserContext,
  expected: readonly RegExp[] = [],
): Promise<ExaminedPage> {
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const faults: string[] = []
  const note = (fault: string) => {
    if (!expected.some((pattern) => pattern.test(fault))) faults.push(fault)
  }
  page.on('pageerror', (error) => note(`thrown: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') note(`${message.text()} (${message.location().url})`)
  })
  return { page, faults }
}

/** That axe finds nothing on the page once it is there (WCAG 2.2, levels A and AA, and good practice). */
export async function expectAccessible(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }))
  expect({ at: page.url(), found }).toEqual({ at: page.url(), found: [] })
}
