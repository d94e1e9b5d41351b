/**
 * The moment that a date string names (ISO 32000-2, 7.9.4): `D:YYYYMMDDHHmmSSOHH'mm`, everything after the
 * year optional. Without an offset the time is taken as UTC.
 *
 * @returns null when it is not of that form or names no moment
 */
export function parsePdfDate(text: string): Date | null {
  const match =
    /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([-+Z])(?:(\d\d)(?:'?(\d\d)?'?)?)?)?$/.exec(
      text.trim(),
    )
  if (!match) return null
  const field = (index: number, missing: number): number => Number(match[index] ?? missing)
  const [month, day, hour, minute, second] = [
    field(2, 1),
    field(3, 1),
    field(4, 0),
    field(5, 0),
    field(6, 0),
  ]
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59) {
    return null
  }
  const offsetMinutes = (field(8, 0) * 60 + field(9, 0)) * (match[7] === '-' ? -1 : 1)
  const milliseconds = Date.UTC(field(1, 0), month - 1, day, hour, minute, second)
  const moment = new Date(milliseconds - offsetMinutes * 60_000)
  return Number.isNaN(moment.getTime()) ? null : moment
}
