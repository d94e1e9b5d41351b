import { expect, test } from 'vitest'
import { ContentScanner, Operand } from '../src/pdf/content/content-scanner.ts'
import { readContent } from '../src/pdf/content/content-stream.ts'
import { PdfName, type PdfObject, PdfString } from '../src/pdf/object.ts'
import { seededRandom } from '../fuzz/random.ts'

const pieces = [
  '1 ',
  '-.5 ',
  '+3 ',
  '12345678901234567890 ',
  '4.-2 ',
  '--7 ',
  '1.2.3 ',
  '. ',
  '/Name ',
  '/A#42 ',
  '(plain) ',
  '(a\\(b\\)\\n\\101) ',
  '((nested) \\\\) ',
  '(line\r\nend) ',
  '<48 65 6> ',
  '<> ',
  '<zz41> ',
  '[ 1 (x) -2 ] ',
  'true ',
  'null ',
  '% a comment (\n',
  'Tj ',
  'TJ\n',
  "' ",
  'f* ',
  'longer ',
  'q',
  ')',
  '}',
  'BI /W 1 ID x\nEI ',
]

test('content is scanned as it is read with objects', () => {
  const random = seededRandom(20261121)
  for (let round = 0; round < 300; round++) {
    const count = round % 50 === 0 ? 2000 : 40
    const content = Array.from({ length: count }, () => random.pick(pieces)).join('')
    const bytes = Buffer.from(content, 'latin1')
    expect(scanned(bytes)).toEqual(readWithObjects(bytes))
  }
})

function readWithObjects(bytes: Uint8Array): string[] {
  const operators: string[] = []
  readContent(bytes, (operator, operands) => {
    const name = operator.length > 3 ? 'longer' : operator
    operators.push([name, ...operands.flatMap(described)].join(' '))
  })
  return operators
}

function described(object: PdfObject): string[] {
  if (object instanceof PdfString) return [`(${Buffer.from(object.bytes).toString('hex')})`]
  if (object instanceof PdfName) return [`/${object.value}`]
  if (Array.isArray(object)) return ['[', ...object.flatMap(described), ']']
  return [typeof object === 'number' ? String(object) : 'other']
}

function scanned(bytes: Uint8Array): string[] {
  const scanner = new ContentScanner()
  scanner.open(bytes)
  const operators: string[] = []
  for (let code = scanner.next(); code !== 0; code = scanner.next()) {
    const operands = Array.from({ length: scanner.count }, (_, index) => operand(scanner, index))
    operators.push([nameOf(code), ...(scanner.inlineImage ? ['other'] : operands)].join(' '))
  }
  return operators
}

function operand(scanner: ContentScanner, index: number): string {
  switch (scanner.kind(index)) {
    case Operand.number:
      return String(scanner.number(index))
    case Operand.string: {
      const [start, end] = [scanner.stringStart(index), scanner.stringEnd(index)]
      return `(${Buffer.from(scanner.stringBytes(index).subarray(start, end)).toString('hex')})`
    }
    case Operand.name:
      return `/${scanner.name(index)?.value}`
    case Operand.arrayOpen:
      return '['
    case Operand.arrayClose:
      return ']'
    default:
      return 'other'
  }
}

function nameOf(code: number): string {
  if (code === 0xffffffff) return 'longer'
  const bytes = [code >>> 16, (code >>> 8) & 0xff, code & 0xff].filter((byte) => byte !== 0)
  return String.fromCharCode(...bytes)
}
