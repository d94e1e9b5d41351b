import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { problemCodes, problemPath } from '@pdfnorm/contracts/schema/problem'
import { beforeAll, expect, test } from 'vitest'
import { buildSite } from '../site/build-site.ts'
import { documentedOperations, isCallable, openapi } from '../site/reference/openapi-document.ts'
import { sourcePages } from '../site/source-pages.ts'

/** Making them fails where a page links to a page that is not there. */
let files: Map<string, string>

beforeAll(async () => {
  files = await buildSite()
})

/** Addresses that the service answers beside the documentation. */
const ofTheService = new Set(['/', '/certificate-check', '/api/openapi.json'])

test('no link of the documentation leads nowhere', () => {
  const broken: string[] = []
  for (const [file, html] of pages()) {
    for (const [, href = ''] of html.matchAll(/(?:href|src|data-index)="([^"]*)"/g)) {
      if (!isAnswered(href, addressOf(file))) broken.push(`${file}: ${href}`)
    }
  }
  expect(broken).toEqual([])
})

test('what a page links to elsewhere in the repository is there', async () => {
  const missing: string[] = []
  for (const page of await sourcePages()) {
    const links = (await readFile(page, 'utf8')).matchAll(/\]\((\.\.[^)#]*)[^)]*\)/g)
    for (const [, target = ''] of links) {
      if (!existsSync(resolve(dirname(page), target))) missing.push(`${page}: ${target}`)
    }
  }
  expect(missing).toEqual([])
})

test('the type of every problem leads to a page of its own', () => {
  for (const code of problemCodes) {
    expect(files.get(`${problemPath(code).slice('/docs/'.length)}.html`)).toContain(
      `<h1>${code}</h1>`,
    )
  }
})

test('every operation has its page under its operationId, with its call in three languages', () => {
  const operations = documentedOperations()
  expect(operations.length).toBeGreaterThan(60)
  for (const { operationId } of operations.filter(isCallable)) {
    const page = files.get(`reference/${operationId}.html`) ?? ''
    for (const language of ['curl', 'TypeScript', 'Python']) {
      expect(page).toContain(`value="${language}"`)
    }
    expect(files.get('reference.html')).toContain(`<li id="${operationId}">`)
  }
})

test('every event has its section and its payload', () => {
  const page = files.get('events.html') ?? ''
  for (const name of Object.keys(openapi.webhooks)) expect(page).toContain(`<h2 id="${name}">`)
})

test('nothing stands in a page that its policy would not let run', () => {
  for (const [, html] of pages()) {
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|<[^>]* (?:style|on\w+)=/)
    expect(html).not.toMatch(/(?:src|href)="https?:[^"]*\.(?:js|css|woff2?)"/)
  }
})

test('no page shows what is said to generators', () => {
  for (const [file, html] of pages()) {
    expect({ file, comments: html.split('<p>&lt;!--').length - 1 }).toEqual({ file, comments: 0 })
  }
})

test('every page has a title of its own, and a summary that a list of results can show', () => {
  const titles = pages().map(([, html]) => /<title>([^<]*)<\/title>/.exec(html)?.[1])
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  for (const [file, html] of pages()) {
    const [, summary = ''] = /<meta name="description" content="([^"]*)"/.exec(html) ?? []
    expect({ file, isShown: summary.length > 15 && summary.length < 400 }).toEqual({
      file,
      isShown: true,
    })
  }
})

test('the ids of a page are different, and every page has one heading of the first level', () => {
  for (const [file, html] of pages()) {
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect({ file, ids: ids.length }).toEqual({ file, ids: new Set(ids).size })
    expect({ file, titles: html.split('<h1>').length }).toEqual({ file, titles: 2 })
  }
})

test('the same sources give the same site', async () => {
  expect(await buildSite()).toEqual(files)
})

function pages(): [string, string][] {
  return [...files].filter(([file]) => file.endsWith('.html'))
}

function addressOf(file: string): string {
  return file === 'index.html' ? '/docs' : `/docs/${file.replace(/\.html$/, '')}`
}

function isAnswered(href: string, from: string): boolean {
  if (/^(?:https?|mailto):/.test(href) || ofTheService.has(href)) return true
  const [path = '', fragment] = href.startsWith('#') ? [from, href.slice(1)] : href.split('#')
  const target = [...files].find(([file]) => addressOf(file) === path)
  if (target === undefined) return false
  return fragment === undefined || target[1].includes(` id="${fragment}"`)
}
