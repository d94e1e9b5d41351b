import { failureCodes, rejectionCodes } from '@pdfnorm/contracts/schema/failure'
import { failureGuidance, warningGuidance } from '@pdfnorm/contracts/schema/outcome-guidance'
import { renderInline } from '../markdown.ts'
import type { Page } from '../page.ts'

/** Every code that a submission may have: why it was rejected or failed, and what it was warned of. */
export function outcomePage(): Page {
  const sections = [
    {
      id: 'rejected',
      text: 'Rejected by a policy',
      html: list(rejectionCodes.map((code) => [code, failureGuidance[code]])),
    },
    {
      id: 'failed',
      text: 'Failed',
      html: list(failureCodes.map((code) => [code, failureGuidance[code]])),
    },
    { id: 'warnings', text: 'Warnings', html: list(Object.entries(warningGuidance)) },
  ]
  return {
    path: '/docs/outcomes',
    title: 'Outcomes and warnings',
    description: 'Every code with which a document is rejected, fails, or is warned of.',
    html: `<p>${renderInline(introduction)}</p>
<p>Lists may grow: take a code that you do not know by the <code>status</code> beside it.</p>
${sections.map(({ id, text, html }) => `<h2 id="${id}">${text}</h2>\n${html}`).join('\n')}`,
    headings: sections.map(({ id, text }) => ({ level: 2, id, text })),
  }
}

const introduction =
  'What becomes of a document is its `status`: SUCCESS, REJECTED or FAILED. `failure` says why it is not the first, with a code, a message and the stage; `warnings` say what is worth knowing about one that is.'

function list(codes: readonly (readonly [code: string, guidance: string])[]): string {
  const items = codes.map(
    ([code, guidance]) =>
      `<li id="${code}"><code class="name">${code}</code><p>${renderInline(guidance)}</p></li>`,
  )
  return `<ul class="fields">${items.join('')}</ul>`
}
