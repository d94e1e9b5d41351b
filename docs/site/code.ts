import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import { escapeHtml } from './html.ts'

const languages = { sh: bash, json, py: python, ts: typescript, yaml }
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

const names: Record<string, string> = {
  sh: 'Shell',
  json: 'JSON',
  py: 'Python',
  ts: 'TypeScript',
  yaml: 'YAML',
  console: 'Shell',
  output: 'Output',
}

/** What a guide says of a block in its own words (test/guide-snippets.ts). */
const captions: Record<string, string> = {
  output: 'prints',
  'sh terminal': 'in another terminal',
  'output terminal': 'the other terminal prints',
}

/**
 * A block of code whose parts have the classes of highlight.js; in another language it is as it is.
 *
 * @param file the name under which a reader saves it, if it is a file
 */
export function codeBlock(code: string, language: string, file = ''): string {
  const title = captions[`${language} ${file}`.trim()] ?? file
  const caption = title === '' ? '' : `<figcaption>${escapeHtml(title)}</figcaption>`
  const label = title === '' ? (names[language] ?? 'Text') : title
  return `<figure class="code ${language === 'output' ? 'output' : 'input'}">${caption}<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${coloured(code.trimEnd(), language)}</code></pre></figure>\n`
}

function coloured(code: string, language: string): string {
  if (hljs.getLanguage(language) === undefined) return escapeHtml(code)
  return hljs.highlight(code, { language }).value
}
