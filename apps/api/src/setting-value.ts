import { z } from 'zod'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const mebibyte = 1024 * 1024

const millisecondsPerUnit = { ms: 1, s: second, m: minute, h: hour, d: day } as const
const bytesPerUnit = { '': 1, KiB: 1024, MiB: mebibyte, GiB: 1024 * mebibyte } as const

/** A duration such as `15m`, `72h`, `30d`, `2s` or `250ms`, in milliseconds. */
export const Duration = z
  .string()
  .regex(/^\d{1,9}(ms|s|m|h|d)$/, 'must be a duration such as 2s, 15m, 72h or 30d')
  .transform((text) => {
    const unit = text.replace(/^\d+/, '') as keyof typeof millisecondsPerUnit
    return Number.parseInt(text, 10) * millisecondsPerUnit[unit]
  })
  .refine((milliseconds) => milliseconds > 0, 'must be longer than nothing')
  // So that a date to which it is added can be written.
  .refine((milliseconds) => milliseconds <= 3650 * day, 'must be at most 3650d')

/** A duration, or `0s` for none. */
export const Delay = z
  .literal('0s')
  .transform(() => 0)
  .or(Duration)

export const DurationList = z
  .string()
  .transform(itemsOf)
  .pipe(z.array(Duration).min(1, 'must have one duration at least'))

/** A size such as `2097152`, `512KiB` or `2MiB`, in bytes. */
export const ByteSize = z
  .string()
  .regex(/^\d{1,12}(KiB|MiB|GiB)?$/, 'must be a size such as 2097152 or 2MiB')
  .transform((text) => {
    const unit = text.replace(/^\d+/, '') as keyof typeof bytesPerUnit
    return Number.parseInt(text, 10) * bytesPerUnit[unit]
  })

export const YesNo = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true')

export const WholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

export const AtLeastOne = WholeNumber.refine((number) => number > 0, 'must be at least 1')

export const CommaList = z.string().transform(itemsOf)

export const Url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be a URL with ${protocols.join(' or ')}`,
    )

export const Origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be origins such as https://app.example.com, without a path',
  )

/** 32 bytes as base64 (any alphabet) or as 64 hexadecimal digits. */
export const SecretKey = z
  .string()
  .transform((text) => Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64'))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes as base64 or as 64 hexadecimal digits')

/** How a value of such a setting is written in the environment: the largest unit that leaves no rest. */
export function settingText(schema: z.core.$ZodType, value: unknown): string {
  if (typeof value === 'number' && (schema === Duration || schema === Delay)) {
    // A few days are said in hours, as people say 48 and 72 hours.
    const { d: _, ...upToHours } = millisecondsPerUnit
    return withUnit(value, value < 7 * day ? upToHours : millisecondsPerUnit) ?? '0s'
  }
  if (typeof value === 'number' && schema === ByteSize) {
    return withUnit(value, bytesPerUnit) ?? String(value)
  }
  if (Array.isArray(value)) {
    const item = schema === DurationList ? Duration : schema
    return value.map((one) => settingText(item, one)).join(',')
  }
  return String(value)
}

/** null: nothing is a whole number of no unit. */
function withUnit(value: number, units: Readonly<Record<string, number>>): string | null {
  if (value === 0) return null
  const largestFirst = Object.entries(units).toSorted(([, a], [, b]) => b - a)
  const [unit, factor] = largestFirst.find(([, factor]) => value % factor === 0) ?? ['', 1]
  return `${value / factor}${unit}`
}

function itemsOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
