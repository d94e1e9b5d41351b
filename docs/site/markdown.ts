import MarkdownIt, { type Env, type StateCore, type Token } from 'markdown-it'
import { codeBlock } from './code.ts'
import { escapeHtml } from './html.ts'
import { choiceOf } from './choice.ts'

export interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
}

/** A page of CommonMark as HTML, without its title, which the layout writes. */
export interface RenderedMarkdown {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
}

/** Where a link of the source leads on the site; null: to something that the site does not have. */
export type HrefOf = (target: string) => string | null

interface Surroundings extends Env {
  readonly hrefOf: HrefOf
  readonly headings: Heading[]
  title: string
}

/**
 * Renders a page of the repository. Code is coloured here, so that no script has to; a link to what the site does
 * not have becomes its text; what stands between `<!-- calls -->` and `<!-- /calls -->` is shown one at a time.
 */
export function renderMarkdown(source: string, hrefOf: HrefOf): RenderedMarkdown {
  const surroundings: Surroundings = { hrefOf, headings: [], title: '' }
  const html = markdown.render(source, surroundings)
  return { title: surroundings.title, html, headings: surroundings.headings }
}

/** The CommonMark of a description in the contracts: one paragraph. */
export function renderInline(source: string): string {
  const surroundings: Surroundings = { hrefOf: () => null, headings: [], title: '' }
  return markdown.renderInline(source, surroundings)
}

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })

markdown.core.ruler.push('headings', (state) => {
  const surroundings = surroundingsOf(state.env)
  const used = new Set<string>()
  for (const [at, token] of state.tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const level = Number(token.tag.slice(1))
    const text = plainText(state.tokens[at + 1])
    if (level === 1) {
      surroundings.title = text
      for (const part of state.tokens.slice(at, at + 3)) hide(part)
      continue
    }
    const id = anchorOf(text, used)
    token.attrSet('id', id)
    surroundings.headings.push({ level, id, text })
  }
})

// A head without words is none.
markdown.core.ruler.push('empty heads', ({ tokens }) => {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'th_open' || tokens[at + 1]?.content !== '') continue
    token.tag = 'td'
    const close = tokens[at + 2]
    if (close !== undefined) close.tag = 'td'
  }
})

/**
 * A table of three columns or more would be wider than a small screen: its rows stand there one below the other, each
 * cell with the name of its column. One whose first column has no name is a matrix, and scrolls.
 */
markdown.core.ruler.push('stacked tables', ({ tokens }) => {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'table_open') continue
    const names = headsOf(tokens, at)
    if (names.length < 3 || names[0] === '') continue
    token.attrSet('class', 'stacks')
    markRows(tokens, at, names)
  }
})

markdown.core.ruler.push('links', (state) => {
  const { hrefOf } = surroundingsOf(state.env)
  for (const token of state.tokens) {
    if (token.children !== null) token.children = linked(token.children, hrefOf)
  }
})

markdown.core.ruler.push('calls', (state) => {
  for (;;) {
    const from = indexOfParagraph(state, '<!-- calls -->', 0)
    if (from === -1) return
    const to = indexOfParagraph(state, '<!-- /calls -->', from)
    if (to === -1) throw new Error('Calls begin and do not end')
    const choice = new state.Token('html_block', '', 0)
    choice.content = choiceOf(panelsOf(state, state.tokens.slice(from + 3, to)))
    state.tokens.splice(from, to + 3 - from, choice)
  }
})

// What is said to generators only (docs/generate) is not said to readers.
markdown.core.ruler.push('comments', (state) => {
  for (;;) {
    const at = state.tokens.findIndex(
      ({ type, content }) => type === 'inline' && /^<!--[^]*-->$/.test(content),
    )
    if (at === -1) return
    state.tokens.splice(at - 1, 3)
  }
})

function headsOf(tokens: readonly Token[], table: number): string[] {
  const names: string[] = []
  for (let at = table; tokens[at]?.type !== 'thead_close'; at++) {
    if (tokens[at]?.type === 'th_open') names.push(plainText(tokens[at + 1]))
  }
  return names
}

/** With a layout of its own a table is none any more to who cannot see it, unless its parts say what they are. */
const tableRoles: Readonly<Record<string, string>> = {
  table_open: 'table',
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
}

function markRows(tokens: readonly Token[], table: number, names: readonly string[]): void {
  let column = 0
  for (let at = table; tokens[at]?.type !== 'table_close'; at++) {
    const token = tokens[at]
    const role = tableRoles[token?.type ?? '']
    if (token === undefined || role === undefined) continue
    token.attrSet('role', role)
    if (token.type === 'tr_open') column = 0
    if (token.type === 'td_open') token.attrSet('data-column', names[column++] ?? '')
  }
}

/** What stands under each paragraph that is only a name in bold. */
function panelsOf(state: StateCore, tokens: readonly Token[]): { name: string; html: string }[] {
  const panels: { name: string; tokens: Token[] }[] = []
  for (const [at, token] of tokens.entries()) {
    const [, name] = /^\*\*([^*]+)\*\*$/.exec(tokens[at + 1]?.content ?? '') ?? []
    if (token.type === 'paragraph_open' && name !== undefined) panels.push({ name, tokens: [] })
    panels.at(-1)?.tokens.push(token)
  }
  return panels.map(({ name, tokens }) => ({
    name,
    html: state.md.renderer.render(tokens.slice(3), state.md.options, state.env),
  }))
}

function indexOfParagraph({ tokens }: StateCore, content: string, after: number): number {
  const at = tokens.findIndex((token, at) => at > after && token.content === content)
  return at === -1 ? -1 : at - 1
}

/** Gives links their address on the site, and takes the mark of a link from those that lead nowhere. */
function linked(tokens: readonly Token[], hrefOf: HrefOf): Token[] {
  let isKept = true
  return tokens.filter((token) => {
    if (token.type === 'link_close') return isKept
    if (token.type !== 'link_open') return true
    const target = String(token.attrGet('href'))
    const href = /^[a-z]+:/i.test(target) ? target : hrefOf(target)
    isKept = href !== null
    if (href !== null) token.attrSet('href', href)
    return isKept
  })
}

markdown.renderer.rules['fence'] = (tokens, at) => {
  const { content = '', info = '' } = tokens[at] ?? {}
  const [language = '', file = ''] = info.trim().split(/\s+/)
  return codeBlock(content, language, file)
}

/** The path of a page in code, as pages write it, leads there. */
markdown.renderer.rules['code_inline'] = (tokens, at, _options, env) => {
  const content = tokens[at]?.content ?? ''
  const [, path] = /^docs\/(.+\.md)$/.exec(content) ?? []
  const href = path === undefined ? null : surroundingsOf(env).hrefOf(`/${path}`)
  const code = `<code>${escapeHtml(content)}</code>`
  return href === null ? code : `<a href="${href}">${code}</a>`
}

// Wide tables scroll by themselves, also by keyboard.
markdown.renderer.rules['table_open'] = (tokens, at, _options, _env, renderer) =>
  `<div class="table" role="group" aria-label="Table" tabindex="0"><table${renderer.renderAttrs(tokens[at] as Token)}>`
markdown.renderer.rules['table_close'] = () => '</table></div>'

function surroundingsOf(env: Env | undefined): Surroundings {
  return env as Surroundings
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? []).map(({ content }) => content).join('')
}

function hide(token: Token): void {
  token.hidden = true
  token.type = 'text'
  token.content = ''
  token.children = null
}

/** As GitHub makes it, so that links with a fragment hold in both places. */
function anchorOf(text: string, used: Set<string>): string {
  const base = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  let id = base
  for (let number = 1; used.has(id); number++) id = `${base}-${number}`
  used.add(id)
  return id
}
