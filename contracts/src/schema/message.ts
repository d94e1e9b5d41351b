import { z } from 'zod'

/** The answer of an endpoint that has nothing to tell but that it did what was asked. */
export const Message = z
  .object({ message: z.string() })
  .meta({ id: 'Message', examples: [{ message: 'Signed out.' }] })
export type Message = z.infer<typeof Message>
