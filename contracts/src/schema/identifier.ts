import { z } from 'zod'

/**
 * UUID string; the service makes version 7 (RFC 9562), so ids sort by time of creation. A client may write it in any
 * case (RFC 9562, 4): it becomes lower case.
 */
export const Uuid = z
  .uuid()
  .toLowerCase()
  .meta({ id: 'Uuid', description: 'A UUID.', examples: ['0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11'] })
export type Uuid = z.infer<typeof Uuid>

export const Sha256Hex = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({
    id: 'Sha256Hex',
    description: 'SHA-256 as 64 lower-case hexadecimal digits, without a prefix.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  })
export type Sha256Hex = z.infer<typeof Sha256Hex>

/** SHA-256 of a normalized file in the form `sha256:<hex>`, as records, reports and events carry it. */
export const OutputHash = z.templateLiteral(['sha256:', z.string().regex(/^[0-9a-f]{64}$/)]).meta({
  id: 'OutputHash',
  description: 'SHA-256 of a normalized file in the form `sha256:<hex>`.',
  examples: ['sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})
export type OutputHash = z.infer<typeof OutputHash>

/** ISO 8601 in UTC with milliseconds and `Z`. */
export const IsoDateTime = z.iso.datetime({ precision: 3 }).meta({
  id: 'IsoDateTime',
  description: 'A time in ISO 8601, in UTC with milliseconds.',
  examples: ['2026-11-01T09:30:00.000Z'],
})
export type IsoDateTime = z.infer<typeof IsoDateTime>

/** ISO 8601 writes no later moment with four digits of the year; an offset can reach beyond. */
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A time that a client sends: ISO 8601 with any offset, with or without a fraction of a second. */
export const RequestedDateTime = z.iso
  .datetime({ offset: true })
  .refine((text) => !(Date.parse(text) > lastMoment), 'lies beyond the year 9999')
  .meta({ examples: ['2027-01-01T00:00:00Z'] })

/** SHA-256 in a path: upper case is accepted and becomes lower case (decision 1.12). */
export const Sha256Param = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .toLowerCase()
  .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] })

/** The prefixed form of a hash. */
export function outputHash(sha256: Sha256Hex): OutputHash {
  return `sha256:${sha256}`
}
