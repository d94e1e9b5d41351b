import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { Failures, type Place } from './failures.ts'
import { type Flavour, type Part, partOf } from './flavour.ts'
import type { RuleSet } from './rule.ts'

/** One file that is held against one flavour: what the checks read from, and where they report. */
export class Validation {
  readonly file: PdfFile
  readonly graph: ObjectGraph
  readonly flavour: Flavour
  readonly part: Part
  /** Level A asks for logical structure and for Unicode (6.7 and 6.8 of the parts 1 to 3). */
  readonly isLevelA: boolean
  readonly failures = new Failures()

  constructor(file: PdfFile, flavour: Flavour) {
    this.file = file
    this.graph = file.graph
    this.flavour = flavour
    this.part = partOf(flavour)
    this.isLevelA = flavour.endsWith('a')
  }

  /**
   * Offers an object to the rules of its type.
   *
   * @param facts best with lazy getters: rules of other flavours ask for other facts
   */
  check<Facts>(rules: RuleSet<Facts>, facts: Facts, place: Place): void {
    for (const applied of rules.of(this.flavour)) {
      const { rule } = applied
      if (rule.holds(facts)) continue
      const found = rule.found === undefined ? '' : `; here: ${printable(rule.found(facts))}`
      this.failures.record(applied, `Required: ${rule.description}${found}`, place)
    }
  }
}

/** What stands in a document can be of any length and hold what ends lines or steers terminals. */
function printable(found: string): string {
  const [...shown] = found
    .slice(0, 2 * maxFound)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd')
  return shown.length > maxFound ? `${shown.slice(0, maxFound).join('')}…` : shown.join('')
}

const maxFound = 200
