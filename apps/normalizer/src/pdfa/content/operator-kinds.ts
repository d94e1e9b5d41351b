import { operatorCode } from '../../pdf/content/content-scanner.ts'

/** Whether ISO 32000-2, annex A, has the operator, by the code that a scanner gives. */
export function isOperator(code: number): boolean {
  return operators.has(code)
}

/** The word that a scanner gave this code for; null for words that are longer than operators. */
export function spellingOf(code: number): string | null {
  if (code > 0xffffff) return null
  const bytes = Buffer.of(code >> 16, (code >> 8) & 0xff, code & 0xff)
  return bytes.toString('latin1').replace(/^\0+/, '')
}

/** Whether the operator takes numbers, strings or names of its own, or none; what stands before those is no operand. */
export function takesOperands(code: number): boolean {
  return operators.has(code) && !withoutOperands.has(code)
}

const operators = codes(
  'b B b* B* BDC BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri ' +
    's S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y \' "',
)

/** Also those that take nothing but the name of a resource, which is judged where it is defined. */
const withoutOperands = codes('b B b* B* BT BX Do EMC ET EX f F f* gs h n q Q s S sh T* W W*')

function codes(names: string): ReadonlySet<number> {
  return new Set(names.split(' ').map(operatorCode))
}
