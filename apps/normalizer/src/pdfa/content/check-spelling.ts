import { directObjectRules } from '../file/direct-object-rules.ts'
import type { Validation } from '../validation.ts'
import type { Frame } from './content-frame.ts'
import { operatorRules } from './content-rules.ts'
import { isOperator, spellingOf, takesOperands } from './operator-kinds.ts'

/** What is wrong with the operands, and whether the operator that was read last is one; 0 is the end of the content. */
export function checkSpelling(validation: Validation, operator: number, frame: Frame): void {
  const { scanner, place } = frame
  const { oddities, strayDelimiters } = scanner
  if (oddities !== frame.oddities) {
    const found = oddities & ~frame.oddities
    frame.oddities = oddities
    if (takesOperands(operator) || scanner.inlineImage !== null) {
      validation.check(directObjectRules, { oddities: found }, place)
    }
  }
  if (strayDelimiters !== frame.strays) {
    frame.strays = strayDelimiters
    validation.check(operatorRules, { isOperator: false, spelling: null }, place)
  }
  if (operator === 0 || isOperator(operator) || scanner.inlineImage !== null) return
  validation.check(operatorRules, { isOperator: false, spelling: spellingOf(operator) }, place)
}
