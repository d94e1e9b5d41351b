import { z } from 'zod'

/** Every version a client may pin, oldest first. Additive changes make no new one (decision 1.5). */
export const apiVersions = ['2026-11-01'] as const

export const currentApiVersion = '2026-11-01' satisfies ApiVersion

/** The label in the `Api-Version` header and in the `apiVersion` field of results, records and events. */
export const ApiVersion = z.enum(apiVersions).meta({
  id: 'ApiVersion',
  description: 'The version of the interface that wrote the answer, a date.',
  extensible: true,
})
export type ApiVersion = z.infer<typeof ApiVersion>
