import { createHash } from 'node:crypto'
import { escapeHtml } from './html.ts'

/**
 * Panels of which one is shown, chosen by name: radio buttons and CSS, so that it works without a script.
 *
 * @param panels at most four, which is how many the style sheet knows
 */
export function choiceOf(panels: readonly { name: string; html: string }[]): string {
  const group = createHash('sha256').update(JSON.stringify(panels)).digest('hex').slice(0, 12)
  const buttons = panels.map(
    ({ name }, at) =>
      `<input type="radio" name="calls-${group}" id="calls-${group}-${at}" value="${escapeHtml(name)}"${at === 0 ? ' checked' : ''}><label for="calls-${group}-${at}">${escapeHtml(name)}</label>`,
  )
  const contents = panels.map(({ html }) => `<div class="panel">${html}</div>`)
  return `<fieldset class="calls"><legend>Language</legend>${buttons.join('')}${contents.join('')}</fieldset>\n`
}
