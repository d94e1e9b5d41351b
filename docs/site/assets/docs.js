// What the pages gain where scripts run: a search over an index of their own, and buttons that copy code. Without
// it everything is there to be read.

const form = document.querySelector('.search')
const input = form.querySelector('input')
const results = form.querySelector('.results')
const mostResults = 12
const mostOfOnePage = 3
let entries = null

form.hidden = false
form.addEventListener('submit', (event) => {
  event.preventDefault()
  results.querySelector('a')?.click()
})
input.addEventListener('focus', () => void loadIndex())
input.addEventListener('input', () => void search())
document.addEventListener('keydown', onKey)
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) results.hidden = true
})
for (const figure of document.querySelectorAll('figure.input')) addCopyButton(figure)
chooseAlike()
showPlaceInMenu()

async function loadIndex() {
  if (entries !== null) return
  const response = await fetch(form.dataset.index)
  const loaded = await response.json()
  entries = loaded.map(([path, title, section, text]) => ({
    path,
    title,
    section,
    text,
    lowerTitle: `${title} ${section}`.toLowerCase(),
    lowerText: text.toLowerCase(),
  }))
}

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  results.hidden = words.length === 0
  if (words.length === 0) return
  await loadIndex()
  const found = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .filter(fewOfEachPage())
    .slice(0, mostResults)
  const list = document.createElement('ul')
  for (const { entry } of found) list.append(itemOf(entry, words))
  const none = document.createElement('p')
  none.textContent = 'Nothing found. Try fewer or other words.'
  results.replaceChildren(found.length > 0 ? list : none)
}

/** Every word has to be there; a title counts more than the text below it. */
function scoreOf({ lowerTitle, lowerText, section }, words) {
  let score = section === '' ? 1 : 0
  for (const word of words) {
    if (wordsOf(lowerTitle).includes(word)) score += 12
    else if (lowerTitle.includes(word)) score += 6
    else if (lowerText.includes(word)) score += wordsOf(lowerText).includes(word) ? 3 : 1
    else return 0
  }
  return score
}

function wordsOf(text) {
  return text.split(/[^\p{L}\p{N}_.]+/u)
}

/** A page that is all about the words would else fill the list with its sections. */
function fewOfEachPage() {
  const taken = new Map()
  return ({ entry }) => {
    const [page] = entry.path.split('#')
    taken.set(page, (taken.get(page) ?? 0) + 1)
    return taken.get(page) <= mostOfOnePage
  }
}

function itemOf({ path, title, section, text }, words) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  const name = document.createElement('strong')
  const excerpt = document.createElement('span')
  link.href = path
  name.textContent = section === '' ? title : `${title}: ${section}`
  excerpt.append(...marked(excerptOf(text, words), words))
  link.append(name, excerpt)
  item.append(link)
  return item
}

/** From the first of the words on, with a little of what stands before it. */
function excerptOf(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0)
  const first = Math.min(...places, text.length)
  if (places.length === 0 || first < 40) return text
  return `…${text.slice(text.indexOf(' ', first - 30))}`
}

/** The text in nodes, of which those with one of the words are marked. */
function marked(text, words) {
  const escaped = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return text.split(new RegExp(`(${escaped.join('|')})`, 'i')).map((part, at) => {
    if (at % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

function onKey(event) {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
  if (event.key === '/' && !isTyping) {
    event.preventDefault()
    input.focus()
    return
  }
  if (!form.contains(event.target)) return
  if (event.key === 'Escape') {
    results.hidden = true
    input.focus()
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const stops = [input, ...results.querySelectorAll('a')]
  const next = stops.indexOf(event.target) + (event.key === 'ArrowDown' ? 1 : -1)
  event.preventDefault()
  stops[next]?.focus()
}

function addCopyButton(figure) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
  figure.append(button)
}

/** Whoever chooses a language once gets it in every choice of this page, and on the next ones. */
function chooseAlike() {
  const choose = (language) => {
    for (const radio of document.querySelectorAll('.calls input')) {
      if (radio.value === language) radio.checked = true
    }
  }
  choose(sessionStorage.getItem('language'))
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.calls input')) return
    sessionStorage.setItem('language', target.value)
    const before = target.getBoundingClientRect().top
    choose(target.value)
    window.scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
  })
}

/** A menu that is longer than the screen is scrolled to the page's own line. */
function showPlaceInMenu() {
  const menu = document.querySelector('.menu')
  const here = menu.querySelector('[aria-current]')
  if (here === null) return
  const below = here.getBoundingClientRect().bottom - menu.getBoundingClientRect().bottom
  if (below > 0) menu.scrollTop += below + menu.clientHeight / 2
}
