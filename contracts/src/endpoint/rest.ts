import { initContract } from '@ts-rest/core'

/** The builder of every group of endpoints. */
export const rest = initContract()

/** An answer with a status that the endpoint does not list does not compile. */
export const strict = { strictStatusCodes: true } as const
