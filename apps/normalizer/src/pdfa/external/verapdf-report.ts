import { byRule, maxTold, placeTold, toldOfMore } from '../failures.ts'
import type { Flavour } from '../flavour.ts'
import type { PdfaVerdict } from '../validate-pdfa.ts'
import { VerapdfUnavailable } from './verapdf-unavailable.ts'

export interface VerapdfVerdict {
  /** Such as `veraPDF 1.30.2`. */
  readonly engine: string
  readonly verdict: PdfaVerdict
}

/**
 * The verdict in a report of veraPDF (`--format json`, `Accept: application/json`) about one document. Each rule that failed is
 * one line, in veraPDF's words, with the place of its first failure.
 *
 * @throws {VerapdfUnavailable} when the text is no such report
 */
export function readVerapdfReport(text: string, flavour: Flavour): VerapdfVerdict {
  const report = entry(parsed(text), 'report')
  const job = first(entry(report, 'jobs'))
  const engine = `veraPDF ${version(report)}`
  const result = first(entry(job, 'validationResult'))
  if (result === undefined) {
    const reason = entry(entry(job, 'taskException'), 'exception')
    if (typeof reason !== 'string') throw new VerapdfUnavailable('its answer is no report')
    const errors = [`Validation ended early: ${reason.replace(/\.$/, '')}`]
    return { engine, verdict: { flavour, completed: false, compliant: false, errors } }
  }
  const compliant = entry(result, 'compliant')
  if (typeof compliant !== 'boolean') throw new VerapdfUnavailable('its answer is no report')
  const summaries = entry(entry(result, 'details'), 'ruleSummaries')
  const errors = (Array.isArray(summaries) ? summaries : [])
    .map(failedRule)
    .toSorted(byRule)
    .slice(0, maxTold)
    .map(({ line }) => line)
  return { engine, verdict: { flavour, completed: true, compliant, errors } }
}

interface FailedRule {
  readonly clause: string
  readonly test: number
  readonly line: string
}

function failedRule(summary: unknown): FailedRule {
  const clause = textAt(summary, 'clause')
  const test = Number(entry(summary, 'testNumber'))
  const place = placeOf(textAt(first(entry(summary, 'checks')), 'context'))
  const told = `${textAt(summary, 'specification')} ${clause} t${test}`
  const more = toldOfMore(Number(entry(summary, 'failedChecks')) - 1)
  return { clause, test, line: `${told}: ${textAt(summary, 'description')}${more}${place}` }
}

/** A context is a path, such as `root/document[0]/pages[2](12 0 obj PDPage)/annots[0](17 0 obj PDAnnot)`. */
function placeOf(context: string): string {
  const [, number, generation] = [...context.matchAll(/\((\d+) (\d+) obj\b/g)].at(-1) ?? []
  const [, page] = /\/pages\[(\d{1,9})\]/.exec(context) ?? []
  return placeTold({
    object:
      number === undefined ? null : { number: Number(number), generation: Number(generation) },
    page: page === undefined ? null : Number(page) + 1,
  })
}

function version(report: unknown): string {
  const details = entry(entry(report, 'buildInformation'), 'releaseDetails')
  const releases = Array.isArray(details) ? details : []
  const core = releases.find((release) => entry(release, 'id') === 'core') ?? releases[0]
  return textAt(core, 'version').slice(0, maxVersionLength) || 'of unknown version'
}

const maxVersionLength = 40

function parsed(text: string): unknown {
  // Whoever starts the Java machine may have it say something first.
  const start = text.indexOf('{"report"')
  try {
    return JSON.parse(start === -1 ? text : text.slice(start))
  } catch {
    throw new VerapdfUnavailable('its answer is no report')
  }
}

function first(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined
}

function entry(object: unknown, key: string): unknown {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, key)) return undefined
  return (object as Record<string, unknown>)[key]
}

function textAt(object: unknown, key: string): string {
  const value = entry(object, key)
  return typeof value === 'string' ? value : ''
}
