import { isName, type PdfObject } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'

/** The value of `/BM`; of the array that older versions allow, its first name (ISO 32000-2, 11.6.3). */
export function checkBlendMode(
  validation: Validation,
  object: PdfObject | undefined,
  place: Place,
): void {
  const { graph } = validation
  const value = graph.resolve(object)
  const mode = Array.isArray(value) && validation.part !== 4 ? graph.resolve(value[0]) : value
  if (isName(mode)) validation.check(blendModeRules, { mode: mode.value }, place)
}

/** Tables 134 and 135. */
const modes: ReadonlySet<string> = new Set([
  'Normal',
  'Compatible',
  'Multiply',
  'Screen',
  'Overlay',
  'Darken',
  'Lighten',
  'ColorDodge',
  'ColorBurn',
  'HardLight',
  'SoftLight',
  'Difference',
  'Exclusion',
  'Hue',
  'Saturation',
  'Color',
  'Luminosity',
])

const blendModeRules = new RuleSet<{ readonly mode: string }>('blend mode', [
  {
    clauses: { '2-3': '6.2.10 t1', '4': '6.2.9 t1' },
    description: 'Blend modes are among those of ISO 32000',
    holds: ({ mode }) => modes.has(mode),
    found: ({ mode }) => JSON.stringify(mode),
  },
])
