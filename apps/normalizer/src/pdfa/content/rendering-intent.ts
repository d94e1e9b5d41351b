import { isName, type PdfObject } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'

/** The operand of `ri`, `/RI` of graphics state parameters, `/Intent` of images. Anything but a name is passed over. */
export function checkRenderingIntent(
  validation: Validation,
  object: PdfObject | undefined,
  place: Place,
  isParameter = false,
): void {
  const intent = validation.graph.resolve(object)
  if (isName(intent)) validation.check(intentRules, { intent: intent.value, isParameter }, place)
}

/** ISO 32000-2, table 69. */
const intents: ReadonlySet<string> = new Set([
  'RelativeColorimetric',
  'AbsoluteColorimetric',
  'Perceptual',
  'Saturation',
])

interface RenderingIntent {
  readonly intent: string
  /** It stands among graphics state parameters. */
  readonly isParameter: boolean
}

const intentRules = new RuleSet<RenderingIntent>('rendering intent', [
  {
    clauses: { '1': '6.2.8 t3' },
    description: 'The rendering intent of graphics state parameters is among the four of ISO 32000',
    holds: ({ intent, isParameter }) => !isParameter || intents.has(intent),
    found: ({ intent }) => JSON.stringify(intent),
  },
  {
    clauses: { '1': '6.2.9 t1', '2-3': '6.2.6 t1' },
    description: 'Rendering intents are among the four of ISO 32000',
    holds: ({ intent }) => intents.has(intent),
    found: ({ intent }) => JSON.stringify(intent),
  },
])
