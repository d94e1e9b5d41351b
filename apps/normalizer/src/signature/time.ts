import { tagOctet } from './encoded-value.ts'
import { MalformedAsn1Error } from './malformed.ts'

const afterYear = String.raw`(\d\d)(\d\d)(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d)(\d\d))?$`
const utcTimeForm = new RegExp(String.raw`^(\d\d)${afterYear}`)
const generalizedTimeForm = new RegExp(String.raw`^(\d{4})${afterYear}`)

/** The longest form that there is: a year of four digits, a fraction of nine, a zone. */
const maxTimeOctets = 32

/**
 * UTCTime or GeneralizedTime (X.680, clauses 46 and 47), also in the forms that DER excludes and signers write: with
 * another zone than UTC or none, which is UTC, and without seconds.
 *
 * @param tag the first octet of its encoding
 * @throws {MalformedAsn1Error}
 */
export function timeOf(tag: number, content: Uint8Array): Date {
  const isShort = tag === tagOctet.utcTime
  if (!isTime(tag) || content.length > maxTimeOctets) throw new MalformedAsn1Error('not a time')
  const fields = (isShort ? utcTimeForm : generalizedTimeForm).exec(
    Buffer.from(content).toString('latin1'),
  )
  if (!fields) throw new MalformedAsn1Error('not a time')
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0))
  // RFC 5280, 4.1.2.5.1: two digits from 50 on are of the last century.
  const century = !isShort ? 0 : year < 50 ? 2000 : 1900
  const milliseconds = Math.floor(Number(`0.${fields[7] ?? 0}`) * 1000)
  const offsetMinutes =
    (fields[8] === '-' ? -1 : 1) * (Number(fields[9] ?? 0) * 60 + Number(fields[10] ?? 0))
  const time = Date.UTC(
    century + year,
    month - 1,
    day,
    hour,
    minute - offsetMinutes,
    second,
    milliseconds,
  )
  if (month < 1 || month > 12 || day < 1 || day > 31) throw new MalformedAsn1Error('not a time')
  return new Date(time)
}

export function isTime(tag: number): boolean {
  return tag === tagOctet.utcTime || tag === tagOctet.generalizedTime
}

/** Whether it is in UTC and to the second, as certificates have it (RFC 5280, 4.1.2.5); fractions of one may follow. */
export function isExactTime(tag: number, content: Uint8Array): boolean {
  const seconds = tag === tagOctet.utcTime ? 12 : 14
  const last = content.length - 1
  if (last < seconds || content.length > maxTimeOctets || content[last] !== letterZ) return false
  for (let at = 0; at < last; at++) {
    const octet = content[at] ?? 0
    if (at === seconds && (octet === 0x2e || octet === 0x2c) && last > at + 1) continue
    if (octet < digitZero || octet > digitZero + 9) return false
  }
  const hasFraction = last > seconds
  const hasPoint = (content[seconds] ?? 0) < digitZero
  const month = twoDigits(content, seconds - 10)
  const day = twoDigits(content, seconds - 8)
  return hasFraction === hasPoint && month >= 1 && month <= 12 && day >= 1 && day <= 31
}

const [digitZero, letterZ] = [0x30, 0x5a]

function twoDigits(content: Uint8Array, at: number): number {
  return ((content[at] ?? 0) - digitZero) * 10 + (content[at + 1] ?? 0) - digitZero
}
