import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startTestServer } from './server.ts'

test('the page about metrics has every metric, and none that is not there', async () => {
  await using server = await startTestServer({ ownNormalizer: true })
  const text = await (await server.fetch('/metrics')).text()
  const metrics = [...text.matchAll(/^# TYPE (pdfnorm_\w+)/gm)].map(([, name = '']) => name)
  expect(metrics.length).toBeGreaterThan(5)
  expect(firstColumn(await readPage('metrics')).sort(byText)).toEqual(metrics.sort(byText))
})

function readPage(name: string): Promise<string> {
  return readFile(new URL(`../../../docs/operating/${name}.md`, import.meta.url), 'utf8')
}

/** What the rows of the page's tables are about. */
function firstColumn(page: string): string[] {
  return [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1
}
