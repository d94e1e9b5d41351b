import { readFile } from 'node:fs/promises'
import { documentedSettings } from '@pdfnorm/api/environment'
import { expect, test } from 'vitest'
import { withGeneratedParts } from '../generate/generated-parts.ts'
import { sourcePages } from '../site/source-pages.ts'

test('what the pages say of settings, plans, limits and roles is what the service goes by', async () => {
  const stale: string[] = []
  for (const path of await sourcePages()) {
    const page = await readFile(path, 'utf8')
    if (withGeneratedParts(page) !== page) stale.push(path)
  }
  expect(stale).toEqual([])
})

test('every setting says what it is for, and what holds without it', () => {
  const settings = documentedSettings().flatMap(({ settings }) => settings)
  expect(settings.length).toBeGreaterThan(40)
  expect(settings.filter((one) => one.description === '' || one.standard === '')).toEqual([])
})

test('a part that nothing generates is a fault', () => {
  const page = '<!-- generated: weather -->\n<!-- /generated -->'
  expect(() => withGeneratedParts(page)).toThrow('Nothing generates weather')
})
