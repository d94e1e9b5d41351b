/**
 * Codes of the predefined encodings for Chinese, Japanese and Korean text (ISO 32000-2, table 116) by character, as
 * hexadecimal digits; null for an encoding that is none of them. Their tables are those of the character sets that the
 * platform decodes.
 */
export function predefinedCodes(encoding: string): ((char: string) => string | null) | null {
  const unicode = /^Uni.+-(UCS2|UTF8|UTF16|UTF32)-H$/.exec(encoding)?.[1]
  if (unicode !== undefined) return (char) => unicodeCode(char, unicode)
  const set = characterSets.find(({ names }) => names.test(encoding))
  if (!set) return null
  const codes = codesOf(set)
  return (char) => codes.get(char) ?? null
}

function unicodeCode(char: string, form: string): string | null {
  const utf16 = Buffer.from(char, 'utf16le').swap16().toString('hex')
  switch (form) {
    case 'UTF8':
      return Buffer.from(char, 'utf8').toString('hex')
    case 'UTF32':
      return (char.codePointAt(0) ?? 0).toString(16).padStart(8, '0')
    case 'UCS2':
      return utf16.length === 4 ? utf16 : null
    default:
      return utf16
  }
}

interface CharacterSet {
  readonly names: RegExp
  /** As the Encoding Standard calls it. */
  readonly label: string
  /** The lowest first and second byte of a code of two bytes. */
  readonly lowest: readonly [number, number]
  /** Whether codes have seven bits a byte, as in JIS X 0208 itself. */
  readonly isSevenBit?: boolean
}

const characterSets: readonly CharacterSet[] = [
  { names: /^GB(pc)?-EUC-H$/, label: 'gbk', lowest: [0xa1, 0xa1] },
  { names: /^GBK(p-EUC|-EUC|2K)-H$/, label: 'gbk', lowest: [0x81, 0x40] },
  { names: /^(B5pc|ETen-B5|ETenms-B5)-H$/, label: 'big5', lowest: [0xa1, 0x40] },
  { names: /^HKscs-B5-H$/, label: 'big5', lowest: [0x87, 0x40] },
  { names: /^(83pv|90ms|90msp|90pv|Add|Ext)-RKSJ-H$/, label: 'shift_jis', lowest: [0x81, 0x40] },
  { names: /^EUC-H$/, label: 'euc-jp', lowest: [0xa1, 0xa1] },
  { names: /^H$/, label: 'euc-jp', lowest: [0xa1, 0xa1], isSevenBit: true },
  { names: /^KSC-EUC-H$/, label: 'euc-kr', lowest: [0xa1, 0xa1] },
  { names: /^(KSCms-UHC|KSCms-UHC-HW|KSCpc-EUC)-H$/, label: 'euc-kr', lowest: [0x81, 0x41] },
]

const known = new Map<CharacterSet, ReadonlyMap<string, string>>()

function codesOf(set: CharacterSet): ReadonlyMap<string, string> {
  const codes = known.get(set) ?? readCodes(set)
  known.set(set, codes)
  return codes
}

/** Every code of one or two bytes is decoded once. */
function readCodes({ label, lowest, isSevenBit = false }: CharacterSet): Map<string, string> {
  const codes = new Map<string, string>()
  const decoder = new TextDecoder(label)
  const add = (...bytes: readonly number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes))
    if (Array.from(text).length !== 1 || text === '\ufffd' || codes.has(text)) return
    const written = bytes.map((byte) => (isSevenBit ? byte & 0x7f : byte))
    codes.set(text, Buffer.from(written).toString('hex'))
  }
  if (!isSevenBit) for (let byte = 0x20; byte <= 0xff; byte++) if (byte !== 0x7f) add(byte)
  for (let first = lowest[0]; first <= 0xfe; first++) {
    for (let second = lowest[1]; second <= 0xfe; second++) add(first, second)
  }
  return codes
}
