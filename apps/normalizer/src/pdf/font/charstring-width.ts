/** Subroutines by the operand of the operator that calls them; null where there is none. */
export interface Subroutines {
  readonly local: (number: number) => Uint8Array | null
  readonly global: (number: number) => Uint8Array | null
}

/**
 * The width that a Type 2 charstring begins with (Adobe Technical Note 5177, section 3.1): it stands before the operands of the
 * first operator that clears the stack.
 *
 * @returns the difference to the nominal width; `default` where there is none; null where that cannot be told
 */
export function charStringWidth(
  charString: Uint8Array,
  subroutines: Subroutines,
): number | 'default' | null {
  const stack: number[] = []
  const calls: Position[] = [{ bytes: charString, at: 0 }]
  for (let steps = 0; steps < maxSteps; steps++) {
    const current = calls.at(-1)
    if (current === undefined) return null
    const byte = current.bytes[current.at++]
    if (byte === undefined) {
      // Without a `return` the bytes of a subroutine end all the same.
      calls.pop()
      continue
    }
    if (byte === 28 || byte >= 32) {
      if (stack.length >= maxOperands) return null
      stack.push(operandAt(current, byte))
      continue
    }
    switch (byte) {
      case operators.callSubroutine:
      case operators.callGlobalSubroutine: {
        const number = stack.pop()
        const kind = byte === operators.callSubroutine ? 'local' : 'global'
        const bytes = number === undefined ? null : subroutines[kind](number)
        if (bytes === null || calls.length > maxDepth) return null
        calls.push({ bytes, at: 0 })
        break
      }
      case operators.return:
        calls.pop()
        break
      case operators.escape:
        if (!calculate(stack, current.bytes[current.at++] ?? 0)) return null
        break
      default:
        return widthBefore(byte, stack)
    }
  }
  return null
}

interface Position {
  readonly bytes: Uint8Array
  at: number
}

/** No charstring takes as long to come to its first operator that draws. */
const maxSteps = 4096
/** Technical Note 5177, appendix B. */
const maxOperands = 513
const maxDepth = 10

const operators = {
  hstem: 1,
  vstem: 3,
  vmoveto: 4,
  callSubroutine: 10,
  return: 11,
  escape: 12,
  endchar: 14,
  hstemhm: 18,
  hintmask: 19,
  cntrmask: 20,
  rmoveto: 21,
  hmoveto: 22,
  vstemhm: 23,
  callGlobalSubroutine: 29,
} as const

function operandAt(position: Position, byte: number): number {
  const { bytes } = position
  const next = (): number => bytes[position.at++] ?? 0
  if (byte === 28) return ((next() << 24) | (next() << 16)) >> 16
  if (byte <= 246) return byte - 139
  if (byte <= 250) return (byte - 247) * 256 + next() + 108
  if (byte <= 254) return -(byte - 251) * 256 - next() - 108
  return ((next() << 24) | (next() << 16) | (next() << 8) | next()) / 65_536
}

function widthBefore(operator: number, stack: readonly number[]): number | 'default' {
  const [first] = stack
  if (first === undefined) return 'default'
  switch (operator) {
    case operators.hstem:
    case operators.vstem:
    case operators.hstemhm:
    case operators.vstemhm:
    case operators.hintmask:
    case operators.cntrmask:
      return stack.length % 2 === 1 ? first : 'default'
    case operators.vmoveto:
    case operators.hmoveto:
      return stack.length > 1 ? first : 'default'
    case operators.rmoveto:
      return stack.length > 2 ? first : 'default'
    case operators.endchar:
      // Four operands make an accented character (appendix C).
      return stack.length === 1 || stack.length === 5 ? first : 'default'
    default:
      return 'default'
  }
}

/** Section 4.5, as far as numbers are made of others with them; false for all else. */
function calculate(stack: number[], operator: number): boolean {
  const one = stack.pop() ?? 0
  if (operator === 14) return stack.push(-one) > 0
  if (operator === 9) return stack.push(Math.abs(one)) > 0
  const other = stack.pop() ?? 0
  if (operator === 10) return stack.push(other + one) > 0
  if (operator === 11) return stack.push(other - one) > 0
  if (operator === 24) return stack.push(other * one) > 0
  return operator === 12 && one !== 0 && stack.push(other / one) > 0
}
