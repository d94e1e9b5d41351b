import { z } from 'zod'

export const Message = z.object({ message: z.string() }).meta({
  id: 'Message',
  description: 'The answer of an endpoint that has nothing to tell but that it did what was asked.',
  examples: [{ message: 'Signed out.' }],
})
export type Message = z.infer<typeof Message>
